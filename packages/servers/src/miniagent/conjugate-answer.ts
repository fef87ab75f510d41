import { ToolError, text } from '@ccmcp/core';
import { conjugate } from './english/conjugate.ts';
import { type Modal, modals } from './english/modals.ts';
import { findPhrase, normalize } from './english/phrase.ts';
import { readingsOf } from './english/readings.ts';
import type { Person, Tense } from './english/tense.ts';
import type { Form } from './english/verb.ts';
import { notBaseForm, unknownWord } from './unknown-word.ts';

interface Question {
  readonly verb: string;
  readonly tense: Tense;
  readonly person: Person;
}

/** A verb in a tense and person, with what is to be known of the form. */
export function conjugateAnswer({ verb, tense, person }: Question) {
  const question: Question = { verb: normalize(verb), tense, person };
  const modal = modals.get(question.verb);
  const [form, ...others] = modal === undefined ? formsFor(question) : formsOfModal(modal, question);
  if (form === undefined) throw unknownWord(question.verb);
  const { text: written, source, rule, sense } = form;
  const alternatives = others.map((other) => ({ form: other.text, ...(other.sense && { sense: other.sense }) }));
  const facts = {
    form: written,
    ...question,
    source,
    ...(rule !== undefined && { rule }),
    ...(sense !== undefined && { sense }),
    alternatives,
  };
  const notes = [notesOn(form, others), ...(modal === undefined ? [] : noteOn(modal, tense))].join('\n').trim();
  return { content: [text(written), ...(notes === '' ? [] : [text(notes)])], structuredContent: facts };
}

function formsFor({ verb, tense, person }: Question): Form[] {
  if (verb === 'beware' && tense !== 'imperative') throw new ToolError('"beware" is used in the imperative only.');
  const phrase = findPhrase(verb);
  if (phrase === undefined) {
    const readings = readingsOf(verb);
    throw readings.length > 0 ? notBaseForm(verb, readings) : unknownWord(verb);
  }
  const forms = conjugate(phrase, tense, person);
  if (forms === undefined) throw new ToolError(`The ${tense} has no ${person}: use 2sg, 1pl or 2pl.`);
  return distinct(forms);
}

/** The form of a modal verb, and those of the other verb with its base form, as `can` has one. */
function formsOfModal(modal: Modal, question: Question): Form[] {
  const { base, tenses, senses } = modal;
  const text = tenses[question.tense];
  if (text === undefined && senses === undefined) throw new ToolError(lacking(modal, question.tense));
  const source = text === base ? 'base' : 'table';
  const own: Form[] = text === undefined ? [] : [{ text, source, ...(senses && { sense: senses.modal }) }];
  const others = senses === undefined ? [] : formsFor(question).map((form) => ({ ...form, sense: senses.other }));
  return distinct([...own, ...others]);
}

/** Which tense a modal verb lacks, where the form that is given is that of another verb. */
function noteOn(modal: Modal, tense: Tense): string[] {
  if (modal.tenses[tense] !== undefined || modal.senses === undefined) return [];
  return [`This is the form in the sense "${modal.senses.other}".`, `Otherwise ${lacking(modal, tense)}`];
}

function lacking({ base, tenses, instead }: Modal, tense: Tense): string {
  const hint = instead === undefined ? '' : ` Use "${instead}" in this tense.`;
  return `"${base}" is a modal verb and has no ${tense}: only ${Object.keys(tenses).join(', ')}.${hint}`;
}

/** Two senses of a verb may share a form. */
function distinct(forms: readonly Form[]): Form[] {
  return forms.filter(({ text }, at) => forms.findIndex((other) => other.text === text) === at);
}

function notesOn({ text: written, source, rule, sense }: Form, others: readonly Form[]): string {
  const lines = others.map((other) => `Also: ${other.text}${other.sense === undefined ? '' : ` (${other.sense})`}`);
  if (sense !== undefined && lines.length > 0) lines.unshift(`${written}: ${sense}`);
  if (source === 'rule') lines.unshift(`Derived by rule: ${rule}`);
  return lines.join('\n');
}

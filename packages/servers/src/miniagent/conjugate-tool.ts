import { type Tool, ToolError, text, tool } from '@ccmcp/core';
import { conjugate } from './english/conjugate.ts';
import { type Modal, modals } from './english/modals.ts';
import { findPhrase, normalize } from './english/phrase.ts';
import { readingsOf } from './english/readings.ts';
import { type Person, persons, type Tense, tenses } from './english/tense.ts';
import type { Form } from './english/verb.ts';
import { longestWord, notBaseForm, unknownWord } from './unknown-word.ts';

interface Question {
  readonly verb: string;
  readonly tense: Tense;
  readonly person: Person;
}

/** Puts an English verb in a tense and person. */
export const conjugateTool: Tool = tool(
  'conjugate',
  {
    title: 'Conjugate',
    description:
      'Put an English verb in a tense and person: eat, past_simple, 3sg gives "ate". ' +
      'Takes the base form, also of phrasal verbs ("give up"). The first text is the form in its usual American ' +
      'spelling; a second one says when it was made by rule and which other forms exist.',
    input: {
      type: 'object',
      properties: {
        verb: { type: 'string', minLength: 1, maxLength: longestWord, description: 'The base form, such as "eat"' },
        tense: { type: 'string', enum: tenses, description: 'The tense' },
        person: {
          type: 'string',
          enum: persons,
          description: 'The person: 1, 2 or 3, in the singular (sg) or plural (pl); 3sg is he, she or it',
        },
      },
      required: ['verb', 'tense', 'person'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        form: { type: 'string', description: 'The verb in this tense and person' },
        verb: { type: 'string' },
        tense: { type: 'string', enum: tenses },
        person: { type: 'string', enum: persons },
        source: {
          type: 'string',
          enum: ['base', 'table', 'rule'],
          description: 'Whether the form of the verb itself is its base form, is from a table, or was made by rule',
        },
        rule: { type: 'string', description: 'The rule, where the form was made by one' },
        sense: { type: 'string', description: 'When the verb is inflected so, where it is one of several ways' },
        alternatives: {
          type: 'array',
          description: 'Other correct forms',
          items: {
            type: 'object',
            properties: { form: { type: 'string' }, sense: { type: 'string' } },
            required: ['form'],
          },
        },
      },
      required: ['form', 'verb', 'tense', 'person', 'source', 'alternatives'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ verb, tense, person }) => {
    const question: Question = { verb: normalize(verb), tense, person };
    const [form, ...others] = formsFor(question);
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
    const notes = notesOn(form, others);
    return { content: [text(written), ...(notes === '' ? [] : [text(notes)])], structuredContent: facts };
  },
);

function formsFor({ verb, tense, person }: Question): Form[] {
  const modal = modals.get(verb);
  if (modal !== undefined) return [formOfModal(modal, tense)];
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

function formOfModal({ base, tenses, instead }: Modal, tense: Tense): Form {
  const form = tenses[tense];
  if (form !== undefined) return { text: form, source: form === base ? 'base' : 'table' };
  const hint = instead === undefined ? '' : ` Use "${instead}" in this tense.`;
  throw new ToolError(`"${base}" is a modal verb and has no ${tense}: only ${Object.keys(tenses).join(', ')}.${hint}`);
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

import { ToolError } from '@ccmcp/core';
import { type Modal, modals } from './english/modals.ts';
import { normalize } from './english/phrase.ts';
import { readingsOf } from './english/readings.ts';
import { findVerb, type Form, type Verb } from './english/verb.ts';
import { unknownWord } from './unknown-word.ts';

/** The forms of the irregular verbs that a word belongs to. */
export function irregularAnswer(given: string) {
  const word = normalize(given);
  const [first, ...others] = irregularVerbs(word).map(described);
  if (first === undefined) throw notIrregular(word);
  return { ...first, ...(others.length > 0 && { others }) };
}

/** The irregular verbs that a word can be a form of; the one it is the base of comes first. */
function irregularVerbs(word: string): Verb[] {
  const bases = new Set([word, ...readingsOf(word).map((reading) => reading.verb)]);
  return [...bases].map(findVerb).filter((verb) => verb?.isIrregular === true) as Verb[];
}

function notIrregular(word: string): ToolError {
  const modal = modalOf(word);
  if (modal !== undefined) {
    const has = Object.entries(modal.tenses).map(([tense, form]) => `${form} (${tense})`);
    return new ToolError(`"${modal.base}" is a modal verb, which has no participle: ${has.join(', ')}. Use conjugate.`);
  }
  const verb = [word, ...readingsOf(word).map((reading) => reading.verb)].map(findVerb).find((each) => each);
  if (verb === undefined) return unknownWord(word);
  const forms = [verb.base, first(verb.past), first(verb.participle)].join(', ');
  return new ToolError(`"${verb.base}" is a regular verb: ${forms}.`);
}

function modalOf(word: string): Modal | undefined {
  const bases = readingsOf(word).flatMap(({ verb, kind }) => (kind === 'modal' ? [verb] : []));
  return modals.get(bases[0] ?? '');
}

function described(verb: Verb) {
  const senses = [...new Set(verb.past.map(({ sense }) => sense))].filter((sense) => sense !== undefined);
  return {
    base: verb.base,
    past: first(verb.past),
    participle: first(verb.participle),
    third_person: first(verb.thirdPerson),
    gerund: first(verb.gerund),
    past_forms: spellings(verb.past),
    participle_forms: spellings(verb.participle),
    ...(senses.length > 0 && {
      senses: senses.map((sense) => ({
        sense,
        past: first(verb.past.filter((form) => form.sense === sense)),
        participle: first(verb.participle.filter((form) => form.sense === sense)),
      })),
    }),
  };
}

function first(forms: readonly Form[]): string {
  return forms[0]?.text ?? '';
}

function spellings(forms: readonly Form[]): string[] {
  return [...new Set(forms.map(({ text }) => text))];
}

import { type Tool, ToolError, tool } from '@ccmcp/core';
import { normalize } from './english/phrase.ts';
import { readingsOf } from './english/readings.ts';
import { findVerb, type Form, type Verb } from './english/verb.ts';
import { longestWord, unknownWord } from './unknown-word.ts';

const verbProperties = {
  base: { type: 'string' },
  past: { type: 'string', description: 'The past in its usual form' },
  participle: { type: 'string', description: 'The past participle in its usual form' },
  third_person: { type: 'string', description: 'The present with he, she or it' },
  gerund: { type: 'string', description: 'The form in -ing' },
  past_forms: { type: 'array', items: { type: 'string' }, description: 'All forms of the past' },
  participle_forms: { type: 'array', items: { type: 'string' }, description: 'All forms of the participle' },
  senses: {
    type: 'array',
    description: 'The ways the verb is inflected, where they differ with its meaning',
    items: {
      type: 'object',
      properties: { sense: { type: 'string' }, past: { type: 'string' }, participle: { type: 'string' } },
      required: ['sense', 'past', 'participle'],
    },
  },
} as const;

const required = ['base', 'past', 'participle', 'third_person', 'gerund', 'past_forms', 'participle_forms'] as const;

/** Looks up an irregular English verb by any of its forms. */
export const irregularTool: Tool = tool(
  'lookup_irregular_verb',
  {
    title: 'Look up an irregular verb',
    description:
      'Give the forms of an irregular English verb (base, past, participle and more), by its base form or any other ' +
      'form: "ate" gives those of eat. Where a form belongs to several irregular verbs the rest are in "others".',
    input: {
      type: 'object',
      properties: {
        verb: { type: 'string', minLength: 1, maxLength: longestWord, description: 'The verb, in any form' },
      },
      required: ['verb'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        ...verbProperties,
        others: { type: 'array', items: { type: 'object', properties: verbProperties, required } },
      },
      required,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ verb }) => {
    const word = normalize(verb);
    const [first, ...others] = irregularVerbs(word).map(described);
    if (first === undefined) throw notIrregular(word);
    return { ...first, ...(others.length > 0 && { others }) };
  },
);

/** The irregular verbs that a word can be a form of; the one it is the base of comes first. */
function irregularVerbs(word: string): Verb[] {
  const bases = new Set([word, ...readingsOf(word).map((reading) => reading.verb)]);
  return [...bases].map(findVerb).filter((verb) => verb?.isIrregular === true) as Verb[];
}

function notIrregular(word: string): ToolError {
  const verb = [word, ...readingsOf(word).map((reading) => reading.verb)].map(findVerb).find((each) => each);
  if (verb === undefined) return unknownWord(word);
  const forms = [verb.base, first(verb.past), first(verb.participle)].join(', ');
  return new ToolError(`"${verb.base}" is a regular verb: ${forms}.`);
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

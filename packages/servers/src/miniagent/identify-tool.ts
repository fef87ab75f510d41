import { type Tool, text, tool } from '@ccmcp/core';
import { normalize } from './english/phrase.ts';
import { type Kind, type Reading, readingsOf } from './english/readings.ts';
import { frameOf, type Part, persons, type Tense, tenses } from './english/tense.ts';
import { longestWord, unknownWord } from './unknown-word.ts';

const kinds = ['base form', 'present', 'past', 'past participle', 'present participle', 'phrase', 'modal'] as const;

/** Tells which verbs and tenses an English form can be. */
export const identifyTool: Tool = tool(
  'identify_form',
  {
    title: 'Identify a form',
    description:
      'Tell which English verbs a form can belong to, and which tenses and persons it can be: "ate" is the ' +
      'past_simple of eat. Takes one word or a whole tense ("had been eating").',
    input: {
      type: 'object',
      properties: {
        word: { type: 'string', minLength: 1, maxLength: longestWord, description: 'The form' },
      },
      required: ['word'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        word: { type: 'string' },
        readings: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              verb: { type: 'string', description: 'The base form of the verb' },
              form: { type: 'string', enum: kinds },
              tenses: {
                type: 'array',
                description: 'The tenses it is in as it stands',
                items: {
                  type: 'object',
                  properties: {
                    tense: { type: 'string', enum: tenses },
                    persons: { type: 'array', items: { type: 'string', enum: persons } },
                  },
                  required: ['tense', 'persons'],
                },
              },
              builds: {
                type: 'array',
                description: 'The tenses it is part of, with auxiliary verbs before it',
                items: { type: 'string', enum: tenses },
              },
            },
            required: ['verb', 'form', 'tenses', 'builds'],
          },
        },
      },
      required: ['word', 'readings'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ word: given }) => {
    const word = normalize(given);
    const readings = readingsOf(word);
    if (readings.length === 0) throw unknownWord(word);
    return {
      content: [text(readings.map((reading) => told(word, reading)).join('\n'))],
      structuredContent: {
        word,
        readings: readings.map(({ verb, kind, uses }) => ({
          verb,
          form: kind,
          tenses: uses.map(({ tense, persons: some }) => ({ tense, persons: [...some] })),
          builds: builtOn(kind),
        })),
      },
    };
  },
);

const partOf: Readonly<Partial<Record<Kind, Part>>> = {
  'base form': 'base',
  'past participle': 'participle',
  'present participle': 'gerund',
};

/** The tenses that put auxiliary verbs before a form of this kind. */
function builtOn(kind: Kind): Tense[] {
  return tenses.filter((tense) => {
    const frame = frameOf(tense, '1pl');
    return frame !== undefined && frame.before !== '' && frame.part === partOf[kind] && tense !== 'imperative';
  });
}

function told(word: string, { verb, kind, uses }: Reading): string {
  const tensesTold = uses.map(({ tense, persons: some }) =>
    some.length === persons.length ? `${tense} (all persons)` : `${tense} (${some.join(', ')})`,
  );
  const built = builtOn(kind);
  if (built.length > 0) tensesTold.push(`with auxiliary verbs ${built.join(', ')}`);
  const form = kind === 'phrase' ? '' : `, ${kind}`;
  return `${word}: ${verb}${form} – ${tensesTold.join('; ')}`;
}

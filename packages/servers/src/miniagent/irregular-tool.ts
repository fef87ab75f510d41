import { type Tool, tool } from '@ccmcp/core';
import { longestWord } from './longest-word.ts';

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
  async ({ verb }) => {
    const { irregularAnswer } = await import('./irregular-answer.ts');
    return irregularAnswer(verb);
  },
);

import { type Tool, tool } from '@ccmcp/core';
import { persons, tenses } from './english/tense.ts';
import { longestWord } from './longest-word.ts';

/** Translates an English verb form into Spanish ones. */
export const spanishTool: Tool = tool(
  'lookup_spanish',
  {
    title: 'Look up in Spanish',
    description:
      'Give the Spanish forms for an English verb form, each with its base verb, tense and person: "ate" gives ' +
      '"comió" and the other persons of comer. Takes one word or a whole tense ("has eaten", "they didn\'t go"). ' +
      'A form that can be several verbs, tenses or persons gives them all.',
    input: {
      type: 'object',
      properties: {
        form: { type: 'string', minLength: 1, maxLength: longestWord, description: 'The English form' },
      },
      required: ['form'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        form: { type: 'string', description: 'The English form' },
        translations: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              spanish: { type: 'string', description: 'The Spanish form' },
              base: { type: 'string', description: 'The Spanish verb' },
              tense: { type: 'string', description: 'The Spanish tense' },
              person: { type: 'string', enum: persons },
              english: {
                type: 'object',
                properties: { verb: { type: 'string' }, tense: { type: 'string', enum: tenses } },
                required: ['verb'],
              },
            },
            required: ['spanish', 'base', 'tense', 'english'],
          },
        },
      },
      required: ['form', 'translations'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  async ({ form }) => {
    const { spanishAnswer } = await import('./spanish-answer.ts');
    return spanishAnswer(form);
  },
);

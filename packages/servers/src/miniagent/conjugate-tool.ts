import { type Tool, tool } from '@ccmcp/core';
import { persons, tenses } from './english/tense.ts';
import { longestWord } from './longest-word.ts';

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
  async (question) => {
    const { conjugateAnswer } = await import('./conjugate-answer.ts');
    return conjugateAnswer(question);
  },
);

import { type Tool, tool } from '@ccmcp/core';
import { persons, tenses } from './english/tense.ts';
import { longestWord } from './longest-word.ts';

const kinds = ['base form', 'present', 'past', 'past participle', 'present participle', 'phrase', 'modal'] as const;

/** Tells which verbs and tenses an English form can be. */
export const identifyTool: Tool = tool(
  'identify_form',
  {
    title: 'Identify a form',
    description:
      'Tell which English verbs a form can belong to, and which tenses and persons it can be: "ate" is the ' +
      'past_simple of eat. Takes one word or a whole clause ("had been eating", "was eaten", "didn\'t eat", "I\'m eating").',
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
              modal: { type: 'string', description: 'The modal verb before it, as "can" in "could eat"' },
              voice: { type: 'string', enum: ['passive'], description: 'There where it is passive: "was eaten"' },
              negative: { type: 'boolean', description: 'There where it is denied: "didn\'t eat"' },
              question: { type: 'boolean', description: 'There where it is asked: "did she eat"' },
            },
            required: ['verb', 'form', 'tenses', 'builds'],
          },
        },
      },
      required: ['word', 'readings'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  async ({ word }) => {
    const { identifyAnswer } = await import('./identify-answer.ts');
    return identifyAnswer(word);
  },
);

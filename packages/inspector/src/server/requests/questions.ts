import type { Handlers } from './handler.ts';
import { anyObject, id, object, oneOf, text } from './schema.ts';

const elicited = object({ action: oneOf('accept', 'decline', 'cancel'), content: anyObject }, 'content');
const sampled = {
  type: 'object',
  properties: {
    role: oneOf('assistant'),
    model: text,
    content: { anyOf: [anyObject, { type: 'array', items: anyObject }] },
    stopReason: text,
  },
  required: ['role', 'model', 'content'],
  additionalProperties: false,
};

/** What the person at the page answers to servers. */
export const answerRequests: Handlers<'answer'> = {
  answer: {
    schema: object({ question: id, answer: { anyOf: [elicited, sampled, object({ refuse: text })] } }),
    run({ question, answer }, { questions }) {
      questions.answer(question, answer);
      return {};
    },
  },
};

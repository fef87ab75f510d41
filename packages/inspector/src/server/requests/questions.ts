import { anyObject, boolean, type Handlers, id, object, oneOf, text } from './handler.ts';

const elicited = object({ action: oneOf('accept', 'decline', 'cancel'), 'content?': anyObject });
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

/** Handlers of answers to questions. */
export const answerRequests: Handlers<'answer'> = {
  answer: {
    schema: object({ question: id, answer: { anyOf: [elicited, sampled, object({ reject: text })] } }),
    run({ question, answer }, { questions }) {
      questions.answer(question, answer);
      return {};
    },
  },
};

const name = { type: 'string', maxLength: 200 };

/** Handlers of the model that may answer questions. */
export const modelRequests: Handlers<'set-up-model' | 'forget-model' | 'ask-model' | 'cancel-ask' | 'set-auto-answer'> =
  {
    'set-up-model': {
      schema: object({
        service: oneOf('anthropic', 'openai'),
        model: name,
        'url?': text,
        'key?': text,
        'maxTokens?': { type: 'integer', minimum: 1, maximum: 1_000_000 },
      }),
      run(words, { models }) {
        models.setUp(words);
        return {};
      },
    },
    'forget-model': {
      schema: object({}),
      run(_, { models }) {
        models.forget();
        return {};
      },
    },
    'ask-model': {
      schema: object({ question: id, 'model?': name }),
      run: ({ question, model }, { models }) => ({ ask: models.ask(question, model) }),
    },
    'cancel-ask': {
      schema: object({ question: id }),
      run({ question }, { models }) {
        models.cancel(question);
        return {};
      },
    },
    'set-auto-answer': {
      schema: object({ connection: id, on: boolean }),
      run({ connection, on }, { connections, models }) {
        models.setAutoAnswer(connections.get(connection).id, on);
        return {};
      },
    },
  };

import type { Handlers } from './handler.ts';
import { id, object, oneOf, text, boolean } from './schema.ts';

const name = { type: 'string', maxLength: 200 };

/** What the page asks about the model that may answer for the person. */
export const modelRequests: Handlers<
  'set-up-model' | 'forget-model' | 'ask-model' | 'cancel-ask' | 'answer-by-itself'
> = {
  'set-up-model': {
    schema: object(
      {
        service: oneOf('anthropic', 'openai'),
        model: name,
        url: text,
        key: text,
        maxTokens: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      },
      'url',
      'key',
      'maxTokens',
    ),
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
    schema: object({ question: id, model: name }, 'model'),
    run: ({ question, model }, { models }) => ({ ask: models.ask(question, model) }),
  },
  'cancel-ask': {
    schema: object({ question: id }),
    run({ question }, { models }) {
      models.cancel(question);
      return {};
    },
  },
  'answer-by-itself': {
    schema: object({ connection: id, on: boolean }),
    run({ connection, on }, { connections, models }) {
      models.setAutoAnswer(connections.get(connection).id, on);
      return {};
    },
  },
};

import { checkValue } from '@ccmcp/core/client';
import { RequestError } from '../targets.ts';
import { anyObject, anyValue, type Handlers, id, milliseconds, object, oneOf, text } from './handler.ts';

/** Handlers of requests to servers, and of validation. */
export const callRequests: Handlers<'call' | 'repeat' | 'cancel' | 'sample' | 'complete' | 'check'> = {
  call: {
    schema: object({
      connection: id,
      method: text,
      'params?': anyObject,
      'timeoutMs?': milliseconds,
      'idempotencyKey?': text,
      'repeats?': id,
      'by?': oneOf('page', 'view'),
    }),
    run({ connection, ...request }, { connections, calls }) {
      return { call: calls.start(connections.get(connection), request).call };
    },
  },
  repeat: {
    schema: object({ call: id, 'connection?': id }),
    run({ call, connection }, { connections, calls }) {
      const { connection: before, method, params } = calls.full(call);
      return { call: calls.start(connections.get(connection ?? before), { method, params, repeats: call }).call };
    },
  },
  cancel: {
    schema: object({ call: id }),
    run({ call }, { calls }) {
      calls.cancel(call);
      return {};
    },
  },
  sample: {
    schema: object({ connection: id, params: anyObject }),
    run({ connection, params }, { connections, calls, questions }) {
      const host = connections.get(connection);
      const request = { method: 'sampling/createMessage', params };
      return {
        call: calls.startLocal(host, request, (signal) => questions.sample(host.id, params, signal, 'view')).call,
      };
    },
  },
  complete: {
    schema: object({ connection: id, ref: anyObject, argument: anyObject, 'context?': anyObject }),
    async run({ connection, ...params }, { connections, calls }) {
      const { done } = calls.start(connections.get(connection), { method: 'completion/complete', params });
      const { completion } = ((await done) ?? {}) as {
        completion?: { values?: unknown; total?: number; hasMore?: boolean };
      };
      if (!Array.isArray(completion?.values))
        throw new RequestError('There is no completion', 'See the timeline.', 502);
      const { total, hasMore } = completion;
      return {
        values: completion.values.map(String),
        ...(total !== undefined && { total }),
        ...(hasMore !== undefined && { hasMore }),
      };
    },
  },
  check: {
    schema: object({ schema: anyValue, value: anyValue }),
    async run({ schema, value }) {
      const checked = await checkValue(schema, value);
      if ('unusable' in checked) return checked;
      return { problems: checked.problems.map(({ path, message }) => ({ path, message })) };
    },
  },
};

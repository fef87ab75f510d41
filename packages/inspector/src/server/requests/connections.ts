import { logLevels } from '@ccmcp/core';
import type { Handlers } from './handler.ts';
import { anyObject, id, list, object, oneOf, root, connectionSettings, text, boolean } from './schema.ts';
import { RequestError } from '../targets.ts';

const nothing = {};

/** What the page asks about connections and what they offer. */
export const connectionRequests: Handlers<
  'connect' | 'reconnect' | 'disconnect' | 'forget' | 'set-roots' | 'set-log-level' | 'list' | 'listen' | 'unlisten'
> = {
  connect: {
    schema: object(
      { target: id, typed: text, terms: connectionSettings, code: text },
      'target',
      'typed',
      'terms',
      'code',
    ),
    async run(asked, { destinations, connections }) {
      const found = await destinations.resolve(asked, asked.code);
      if ('confirm' in found) return found;
      const connection = connections.add(found.target, asked.terms ?? {}, found.targetId);
      void connection.open();
      return { connection: connection.id };
    },
  },
  reconnect: {
    schema: object({ connection: id, terms: connectionSettings }, 'terms'),
    run({ connection, terms: others }, { connections, models }) {
      models.onDisconnect(connection);
      void connections.get(connection).open(others);
      return nothing;
    },
  },
  disconnect: {
    schema: object({ connection: id }),
    async run({ connection }, { connections, models }) {
      models.onDisconnect(connection);
      await connections.get(connection).close();
      return nothing;
    },
  },
  forget: {
    schema: object({ connection: id }),
    async run({ connection }, { connections, models }) {
      models.onDisconnect(connection);
      await connections.forget(connection);
      return nothing;
    },
  },
  'set-roots': {
    schema: object({ connection: id, roots: list(root) }),
    async run({ connection, roots }, { connections }) {
      const wrong = roots.find(({ uri }) => !uri.startsWith('file://'));
      if (wrong !== undefined)
        throw new RequestError(`A root begins with file://, and this one is ${JSON.stringify(wrong.uri)}`);
      await connections.get(connection).setRoots(roots);
      return nothing;
    },
  },
  'set-log-level': {
    schema: object({ connection: id, level: oneOf(...logLevels) }),
    async run({ connection, level }, { connections }) {
      await connections.get(connection).setLogLevel(level);
      return nothing;
    },
  },
  list: {
    schema: object(
      { connection: id, kind: oneOf('tools', 'resources', 'templates', 'prompts'), fresh: boolean },
      'fresh',
    ),
    run({ connection, kind }, { connections }) {
      const found = connections.get(connection);
      found.assertConnected();
      void found.loadList(kind);
      return nothing;
    },
  },
  listen: {
    schema: object(
      {
        connection: id,
        filter: object(
          { tools: boolean, prompts: boolean, resources: boolean, uris: list(text), more: anyObject },
          'tools',
          'prompts',
          'resources',
          'uris',
          'more',
        ),
        reads: boolean,
      },
      'reads',
    ),
    run: ({ connection, filter, reads = false }, { connections }) => ({
      subscription: connections.get(connection).listen(filter, { reads }),
    }),
  },
  unlisten: {
    schema: object({ subscription: id }),
    async run({ subscription }, { connections }) {
      await connections.findBySubscription(subscription)?.subscriptions.close(subscription);
      return nothing;
    },
  },
};

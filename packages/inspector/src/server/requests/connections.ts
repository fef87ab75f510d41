import { logLevels } from '@ccmcp/core';
import { listKinds } from '../../shared/lists.ts';
import type { ConnectionState } from '../connections/connection-state.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { RequestError, type Target } from '../targets.ts';
import {
  anyObject,
  boolean,
  connectionSettings,
  type Handlers,
  id,
  list,
  object,
  oneOf,
  root,
  text,
} from './handler.ts';

/** Handlers of connections, lists and subscriptions. */
export const connectionRequests: Handlers<
  | 'connect'
  | 'reconnect'
  | 'disconnect'
  | 'forget'
  | 'set-roots'
  | 'set-log-level'
  | 'decide-definition'
  | 'list'
  | 'listen'
  | 'unlisten'
> = {
  connect: {
    schema: object({ 'target?': id, 'typed?': text, 'settings?': connectionSettings, 'code?': text }),
    async run(asked, { destinations, connections }) {
      const found = await destinations.resolve(asked, asked.code);
      if ('confirm' in found) return found;
      const connection = connections.add(found.target, asked.settings ?? {}, found.targetId);
      void connection.open();
      return { connection: connection.id };
    },
  },
  reconnect: {
    schema: object({ connection: id, 'settings?': connectionSettings }),
    run({ connection, settings: others }, { connections, models }) {
      models.onDisconnect(connection);
      void connections.get(connection).open(others);
      return {};
    },
  },
  disconnect: {
    schema: object({ connection: id }),
    async run({ connection }, { connections, models }) {
      models.onDisconnect(connection);
      await connections.get(connection).close();
      return {};
    },
  },
  forget: {
    schema: object({ connection: id }),
    async run({ connection }, { connections, models }) {
      models.onDisconnect(connection);
      await connections.forget(connection);
      return {};
    },
  },
  'set-roots': {
    schema: object({ connection: id, roots: list(root) }),
    async run({ connection, roots }, { connections }) {
      const wrong = roots.find(({ uri }) => !uri.startsWith('file://'));
      if (wrong !== undefined)
        throw new RequestError(`A root begins with file://, and this one is ${JSON.stringify(wrong.uri)}`);
      await connections.get(connection).setRoots(roots);
      return {};
    },
  },
  'set-log-level': {
    schema: object({ connection: id, level: oneOf(...logLevels) }),
    async run({ connection, level }, { connections }) {
      await connections.get(connection).setLogLevel(level);
      return {};
    },
  },
  'decide-definition': {
    schema: object({ connection: id, held: id, accept: boolean }),
    async run({ connection, held, accept }, { connections }) {
      const found = connections.get(connection);
      const { client, state } = found;
      const decided = state.held.take(held);
      if (!accept) return {};
      decided.accept();
      await state.target.pin?.accept(client, decided.name === '' ? 'instructions' : decided.name);
      if (decided.item === 'server') state.onConnected(client);
      else await found.loadList(`${decided.item}s`);
      return {};
    },
  },
  list: {
    schema: object({ connection: id, kind: oneOf(...listKinds) }),
    run({ connection, kind }, { connections }) {
      const found = connections.get(connection);
      found.assertConnected();
      void found.loadList(kind);
      return {};
    },
  },
  listen: {
    schema: object({
      connection: id,
      filter: object({
        'tools?': boolean,
        'prompts?': boolean,
        'resources?': boolean,
        'uris?': list(text),
        'more?': anyObject,
      }),
      'reads?': boolean,
    }),
    run: ({ connection, filter, reads = false }, { connections }) => ({
      subscription: connections.get(connection).listen(filter, { reads }),
    }),
  },
  unlisten: {
    schema: object({ subscription: id }),
    async run({ subscription }, { connections }) {
      await connections.findBySubscription(subscription)?.subscriptions.close(subscription);
      return {};
    },
  },
};

/** Handlers of the doctor. */
export const doctorRequests: Handlers<'doctor'> = {
  doctor: {
    schema: object({ 'connection?': id, 'target?': id, 'typed?': text, 'code?': text }),
    async run(asked, { connections, destinations, doctor, signIns }) {
      if ('connection' in asked) {
        const { id, state } = connections.get(asked.connection);
        return { doctor: doctor.start(doctorTarget(state, signIns), id) };
      }
      const found = await destinations.resolve(asked, asked.code);
      return 'confirm' in found ? found : { doctor: doctor.start(found.target) };
    },
  },
};

/** The effective target, or the public URL of an in-process server. */
function doctorTarget({ target, label, effectiveTarget }: ConnectionState, signIns: SignIns): Target {
  if (target.kind !== 'own' || target.address === undefined) return effectiveTarget;
  const auth = signIns.authFor(target.address);
  return { kind: 'url', url: target.address, label, ...(auth !== undefined && { auth: async () => auth }) };
}

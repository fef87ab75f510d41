import { RequestError } from '../targets.ts';
import type { Handlers } from './handler.ts';
import { id, object, text, boolean } from './schema.ts';

/** What the page asks about signing in. */
export const signInRequests: Handlers<'sign-in' | 'sign-in-next' | 'sign-in-cancel' | 'sign-out'> = {
  'sign-in': {
    schema: object(
      { connection: id, url: text, steps: boolean, scope: text, clientId: text, clientSecret: text },
      'connection',
      'url',
      'steps',
      'scope',
      'clientId',
      'clientSecret',
    ),
    run(asked, { connections, signIns }) {
      const { steps = false, scope, clientId, clientSecret } = asked;
      const connection = 'connection' in asked ? connections.get(asked.connection) : undefined;
      const target = connection?.effectiveTarget;
      if (target !== undefined && target.kind !== 'url') {
        throw new RequestError(
          'Only servers behind an address are signed in to',
          'A command gets its credentials by its environment.',
        );
      }
      const url = target?.url ?? ('url' in asked ? asked.url : '');
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new RequestError('This is no address of a server');
      const headers = Object.entries(target?.headers ?? {}).filter(([name]) => !/^authorization$/i.test(name));
      const wish = {
        url,
        ...(connection !== undefined && { connection: connection.id }),
        headers: Object.fromEntries(headers),
        steps,
        ...(scope !== undefined && scope !== '' && { scope }),
        ...(clientId !== undefined && clientId !== '' && { clientId }),
        ...(clientSecret !== undefined && clientSecret !== '' && { clientSecret }),
      };
      const flow = signIns.start(wish, (auth) => {
        if (connection === undefined) return;
        connection.auth = auth;
        void connection.open();
      });
      return { flow };
    },
  },
  'sign-in-next': {
    schema: object({ flow: id }),
    run({ flow }, { signIns }) {
      signIns.flow(flow).next();
      return {};
    },
  },
  'sign-in-cancel': {
    schema: object({ flow: id }),
    run({ flow }, { signIns }) {
      signIns.flow(flow).cancel();
      return {};
    },
  },
  'sign-out': {
    schema: object({ connection: id }),
    async run({ connection }, { connections, signIns }) {
      const found = connections.get(connection);
      if (found.target.kind === 'url') signIns.signOut(found.target.url);
      found.auth = undefined;
      await found.open();
      return {};
    },
  },
};

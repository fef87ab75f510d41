import { RequestError } from '../targets.ts';
import { boolean, type Handlers, id, object, text } from './handler.ts';

/** Handlers of signing in. */
export const signInRequests: Handlers<'sign-in' | 'sign-in-next' | 'sign-in-cancel' | 'sign-out'> = {
  'sign-in': {
    schema: object({
      'connection?': id,
      'url?': text,
      'steps?': boolean,
      'scope?': text,
      'clientId?': text,
      'clientSecret?': text,
    }),
    run(asked, { connections, signIns }) {
      const { steps = false, scope, clientId, clientSecret } = asked;
      const connection = 'connection' in asked ? connections.get(asked.connection) : undefined;
      const target = connection?.state.effectiveTarget;
      if (target !== undefined && target.kind !== 'url') {
        throw new RequestError(
          'Only servers behind an address are signed in to',
          'A command gets its credentials by its environment.',
        );
      }
      const url = target?.url ?? ('url' in asked ? asked.url : '');
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new RequestError('This is no address of a server');
      const headers = Object.entries(target?.headers ?? {}).filter(([name]) => !/^authorization$/i.test(name));
      const options = {
        url,
        ...(connection !== undefined && { connection: connection.id }),
        headers: Object.fromEntries(headers),
        steps,
        ...(scope !== undefined && scope !== '' && { scope }),
        ...(clientId !== undefined && clientId !== '' && { clientId }),
        ...(clientSecret !== undefined && clientSecret !== '' && { clientSecret }),
      };
      const flow = signIns.start(options, (auth) => {
        if (connection === undefined) return;
        connection.state.auth = auth;
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
      const { target } = found.state;
      if (target.kind === 'url') signIns.signOut(target.url);
      found.state.auth = undefined;
      await found.open();
      return {};
    },
  },
};

import { describe, expect, it } from 'vitest';
import { isObject, type Params, type Request } from '../jsonrpc/message.ts';
import { MetaKey } from '../protocol/meta.ts';
import type { ClientExtension, ClientMiddleware, FollowedRequest, KnownServer } from './extension.ts';
import { type Script, scripted } from './fixtures/scripted.ts';

const text = (said: string): object => ({ resultType: 'complete', content: [{ type: 'text', text: said }] });
const echo: Script = ({ method, params }) =>
  method === 'tools/call' ? text(JSON.stringify([params?.name, params?.extra])) : undefined;

function around(middleware: ClientMiddleware | undefined, asked: KnownServer[] = []): ClientExtension {
  return {
    id: 'com.example/around',
    era: 'stateless',
    around(server) {
      asked.push(server);
      return middleware;
    },
  };
}

describe('the middleware of a client extension', () => {
  it.each(['handshake', 'stateless'] as const)('is asked for once per connection, in the %s era too', async (era) => {
    const asked: KnownServer[] = [];
    const { client } = await scripted(echo, { era, extensions: [around(undefined, asked)] });
    await client.callTool('a');
    await client.callTool('b');
    expect(asked).toEqual([{ era, capabilities: {} }]);
  });

  it('sees and may change requests and final results, which callTool validates', async () => {
    const seen: string[] = [];
    const outer: ClientMiddleware = async ({ method, params }, next) => {
      seen.push(`outer ${method} ${String(params?.name)}`);
      const result = await next({ ...params, extra: 1 });
      return { ...result, structuredContent: { by: 'outer' } };
    };
    const inner: ClientMiddleware = ({ params }, next) => {
      seen.push(`inner ${String(params?.extra)}`);
      return next();
    };
    const extensions = [around(outer), { ...around(inner), id: 'com.example/inner' }];
    const { client } = await scripted(echo, { extensions });
    const result = await client.callTool('a');
    expect(result).toMatchObject({
      content: [{ text: '["a",1]' }],
      structuredContent: { by: 'outer' },
      isError: false,
    });
    expect(seen).toEqual(['outer tools/call a', 'inner 1']);
  });

  it('may reject a request, or answer it without the server', async () => {
    const { client, sent } = await scripted(echo, {
      extensions: [
        around(async ({ params }) => {
          if (params?.name === 'bad') throw new Error('not this one');
          return { content: [] };
        }),
      ],
    });
    await expect(client.callTool('bad')).rejects.toThrow('not this one');
    await expect(client.callTool('good')).resolves.toMatchObject({ content: [] });
    expect(sent.some((message) => 'method' in message && message.method === 'tools/call')).toBe(false);
  });

  it('does not run for requests of an extension', async () => {
    let runs = 0;
    const { client } = await scripted(echo, {
      extensions: [
        around(async ({ request }) => {
          runs += 1;
          return request('tools/call', { name: 'inside' });
        }),
      ],
    });
    await expect(client.callTool('outside')).resolves.toMatchObject({ content: [{ text: '["inside",null]' }] });
    expect(runs).toBe(1);
  });
});

describe('a subscription of an extension', () => {
  /** Acknowledges each subscription, and sends a notification in it. */
  const telling =
    (say: () => (message: Params) => void): Script =>
    (request: Request) => {
      if (request.method === 'tools/call') return { resultType: 'stir' };
      if (request.method !== 'subscriptions/listen') return undefined;
      const _meta = { [MetaKey.subscriptionId]: request.id };
      const notifications = isObject(request.params) ? request.params.notifications : {};
      say()({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
      say()({ method: 'notifications/stirred', params: { _meta, spoon: 1 } });
      say()({ method: 'notifications/stirred', params: { _meta: { [MetaKey.subscriptionId]: 99 }, spoon: 2 } });
      return new Promise(() => {});
    };

  async function stirring(follow: (request: FollowedRequest) => Promise<void>) {
    const extension: ClientExtension = {
      id: 'com.example/stir',
      resultTypes: {
        stir: {
          async follow(_, request) {
            await follow(request);
            return { content: [] };
          },
        },
      },
    };
    let say: (message: Params) => void = () => {};
    const made = await scripted(
      telling(() => say),
      { extensions: [extension] },
    );
    say = (message) => made.say({ jsonrpc: '2.0', ...message } as never);
    return made;
  }

  it('gets only its own notifications', async () => {
    const received: unknown[] = [];
    const { client } = await stirring(async ({ listen, signal }) => {
      const { honoured } = await listen(
        { pots: ['a'] },
        { signal, onNotification: (method, { spoon }) => received.push([method, spoon]) },
      );
      expect(honoured).toEqual({ more: { pots: ['a'] } });
    });
    await client.callTool('soup');
    expect(received).toEqual([['notifications/stirred', 1]]);
  });

  it('is limited in number', async () => {
    const { client } = await stirring(async ({ listen, signal }) => {
      const options = { signal, onNotification: () => {} };
      const all = await Promise.all(Array.from({ length: 8 }, () => listen({}, options)));
      await expect(listen({}, options)).rejects.toThrow('Extensions have 8 subscriptions already');
      await all[0]?.close();
      await all[0]?.closed;
      await new Promise((resolve) => setImmediate(resolve));
      await listen({}, options);
    });
    await client.callTool('soup');
  });
});

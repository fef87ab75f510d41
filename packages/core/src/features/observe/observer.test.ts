import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import type { ObservedRequest, RequestEnd } from '../../server/observer.ts';
import type { Server } from '../../server/server.ts';
import { ToolError } from '../../server/call/tool-error.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const tools = [
  tool('add', { input: { type: 'object' } }, () => 'sum'),
  tool('fail', { input: { type: 'object' } }, () => {
    throw new ToolError('no');
  }),
  tool('late', { input: { type: 'object' } }, async () => {
    await sleep(1);
    return 'late';
  }),
  tool('hang', { input: { type: 'object' } }, (_args, { signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
  }),
  tool('ask', { input: { type: 'object' } }, async (_args, context) => {
    await context.elicit({ message: 'really?', schema: { type: 'object', properties: { sure: { type: 'boolean' } } } });
    return 'done';
  }),
];

interface Seen {
  begun: ObservedRequest[];
  ended: RequestEnd[];
}

function watch(server: Server): Seen {
  const seen: Seen = { begun: [], ended: [] };
  server.observe({
    begin(request) {
      seen.begun.push(request);
      return { end: (end) => void seen.ended.push(end) };
    },
  });
  return seen;
}

const calling = (name: string): Record<string, unknown> => ({ name, arguments: {} });

describe.each(['2024-11-05', '2026-07-28'])('an observer of requests in %s', (version) => {
  it.each([
    ['add', 'ok'],
    ['fail', 'tool-error'],
    ['late', 'ok'],
    ['nobody', 'error'],
  ])('is notified once of the outcome of a call of "%s": %s', async (name, outcome) => {
    const server = createServer({ name: 's', version: '1', tools });
    const client = connectDirect(server, { version, origin: { transport: 'test', session: 'one' } });
    const seen = watch(server);
    await client.request('tools/call', calling(name));
    expect(seen.begun).toMatchObject([
      { method: 'tools/call', params: calling(name), origin: { transport: 'test', session: 'one' } },
    ]);
    expect(seen.ended).toMatchObject([{ outcome, revision: version, durationMs: expect.any(Number) }]);
  });

  it('is notified of a cancelled call', async () => {
    const server = createServer({ name: 's', version: '1', tools });
    const client = connectDirect(server, { version });
    const seen = watch(server);
    const answer = client.request('tools/call', calling('hang'), 7);
    client.peer.running.get(7)?.cancel();
    expect(await answer).toBeUndefined();
    expect(seen.ended).toMatchObject([{ outcome: 'cancelled', error: undefined }]);
  });
});

describe('an observer', () => {
  it('is notified of unknown methods and rate-limited requests', async () => {
    const server = createServer({ name: 's', version: '1', tools, rateLimit: { calls: 1, perMs: 60_000 } });
    const seen = watch(server);
    const client = connectDirect(server);
    await client.request('no/such');
    await client.request('tools/list');
    expect(seen.ended).toMatchObject([{ outcome: 'error', error: { code: -32601 } }, { outcome: 'refused' }]);
  });

  it('is notified of questions to the client', async () => {
    const server = createServer({ name: 's', version: '1', tools });
    const seen = watch(server);
    await connectDirect(server, { capabilities: { elicitation: {} } }).request('tools/call', calling('ask'));
    expect(seen.ended).toMatchObject([{ outcome: 'asked' }]);
  });

  it('gets the result on demand, also of a cached list', async () => {
    const server = createServer({ name: 's', version: '1', tools });
    const seen = watch(server);
    const client = connectDirect(server);
    await client.request('tools/list');
    await client.request('tools/list');
    expect(seen.ended[1]?.result()).toMatchObject({ tools: [{ name: 'add' }, {}, {}, {}, {}] });
  });

  it('wraps the serving, the last observer outermost', async () => {
    const order: string[] = [];
    const server = createServer({
      name: 's',
      version: '1',
      tools: [tool('note', { input: { type: 'object' } }, () => void order.push('served'))],
    });
    for (const name of ['inner', 'outer']) {
      server.observe({
        begin: () => ({
          around(serve) {
            order.push(name);
            return serve();
          },
          end() {},
        }),
      });
    }
    await connectDirect(server).request('tools/call', calling('note'));
    expect(order).toEqual(['outer', 'inner', 'served']);
  });

  it('does not affect requests when it throws', async () => {
    const errors: unknown[] = [];
    let served = 0;
    const server = createServer({
      name: 's',
      version: '1',
      logger: { level: 'error', write: ({ error }) => void errors.push(error) },
      tools: [tool('count', { input: { type: 'object' } }, () => String((served += 1)))],
    });
    const fault = new Error('observer');
    const fail = (): never => {
      throw fault;
    };
    server.observe({ begin: fail });
    server.observe({ begin: () => ({ around: fail, end: fail }) });
    server.observe({
      begin: () => ({
        around(serve) {
          serve();
          return fail();
        },
        end() {},
      }),
    });
    const answer = await connectDirect(server).request('tools/call', calling('count'));
    expect(answer).toMatchObject({ result: { content: [{ text: '1' }] } });
    expect(served).toBe(1);
    expect(errors).toEqual([fault, fault, fault, fault]);
  });

  it('keeps no reference to a long-lived request', async () => {
    const server = createServer({ name: 's', version: '1', tools });
    server.observe({ begin: () => ({ end() {} }) });
    const client = connectDirect(server);
    const ask = (): WeakRef<object> => {
      const long = { text: 'x'.repeat(1000) };
      void client.request('subscriptions/listen', { notifications: { toolsListChanged: true }, long });
      return new WeakRef(long);
    };
    const long = ask();
    await sleep(0);
    collectGarbage();
    expect(client.peer.running.size).toBe(1);
    expect(long.deref()).toBeUndefined();
  });

  it('is not notified after it was removed', async () => {
    const server = createServer({ name: 's', version: '1', tools });
    let begun = 0;
    const stop = server.observe({ begin: () => void (begun += 1) });
    await connectDirect(server).request('tools/list');
    stop();
    await connectDirect(server).request('tools/list');
    expect(begun).toBe(1);
  });
});

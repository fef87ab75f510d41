import { connect as dial, createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../packages/core/src/client/connect.ts';
import type { ConnectOptions } from '../../packages/core/src/client/connect-options.ts';
import type { Client } from '../../packages/core/src/client/client.ts';
import { idempotencyMetaKey } from '../../packages/core/src/protocol/meta.ts';
import { tool } from '../../packages/core/src/server/define/define.ts';
import {
  handshake,
  statelessClient,
  type TestClient,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { createGates } from '../../packages/core/src/transports/http/server/fixtures/gates.ts';
import { start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';
import { httpTransport } from '../../packages/core/src/transports/http/client/transport.ts';
import { memoryStore } from '../../packages/core/src/stores/memory.ts';
import { sharedUrl } from '../../packages/redis/src/fixtures/redis.ts';
import { redisStore } from '../../packages/redis/src/store.ts';

const kinds = sharedUrl === undefined ? ['memory'] : ['memory', 'Redis'];
const eras = ['2025-11-25', '2026-07-28'];

async function storeOf(kind: string) {
  if (kind === 'memory') return memoryStore();
  const store = await redisStore({ url: sharedUrl as string, prefix: `test ${crypto.randomUUID()}` });
  onTestFinished(() => store.close());
  return store;
}

function counting() {
  const gates = createGates();
  let runs = 0;
  const tools = [
    tool('count', {}, async (_, { signal }) => {
      const said = `run ${(runs += 1)}`;
      await gates.wait('gate', signal);
      return said;
    }),
    tool('plain', {}, () => `run ${(runs += 1)}`),
    tool('reads', { annotations: { readOnlyHint: true } }, () => `run ${(runs += 1)}`),
  ];
  return { tools, gates, runs: () => runs };
}

async function client(url: string, version: string): Promise<TestClient> {
  return version === '2026-07-28' ? statelessClient(url) : handshake(url, { version });
}

const meta = { [idempotencyMetaKey]: 'once' };

describe.each(kinds)('a call with an idempotency key, with the store %s', (kind) => {
  it.each(eras)('is served once, and answered by both instances (%s)', async (version) => {
    const { tools, gates, runs } = counting();
    const store = await storeOf(kind);
    const [one, two] = [await start({ store }, { tools }), await start({ store }, { tools })];
    const caller = await client(one.url, version);
    const first = caller.call('count', {}, { meta });
    await gates.reached('gate');
    const second = caller.call('count', {}, { meta, url: two.url });
    gates.open('gate');
    expect([textOf(await first), textOf(await second)]).toEqual(['run 1', 'run 1']);
    expect(textOf(await caller.call('count', {}, { meta, url: two.url }))).toBe('run 1');
    expect(runs()).toBe(1);
  });

  it('runs on after a disconnect, and is answered on another instance', async () => {
    const { tools, gates, runs } = counting();
    const store = await storeOf(kind);
    const [one, two] = [await start({ store }, { tools }), await start({ store }, { tools })];
    const leaving = new AbortController();
    const lost = statelessClient(one.url).call('count', {}, { meta, signal: leaving.signal });
    await gates.reached('gate');
    leaving.abort();
    await expect(lost).rejects.toThrow('aborted');
    const again = statelessClient(two.url).call('count', {}, { meta });
    gates.open('gate');
    expect(textOf(await again)).toBe('run 1');
    expect(runs()).toBe(1);
  });
});

/** A proxy that breaks the first connections with a call, in the middle of the response. */
async function breaking(url: string, breaks: number): Promise<{ url: string; broken: () => number }> {
  const { port } = new URL(url);
  let left = breaks;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const inner = dial(Number(port), '127.0.0.1');
    inner.on('error', () => {});
    let carries = false;
    socket.on('data', (data) => {
      carries ||= String(data).includes('tools/call');
      inner.write(data);
    });
    inner.on('data', (data) => {
      if (carries && left > 0) {
        left -= 1;
        socket.write(data.subarray(0, -10), () => socket.destroy());
      } else socket.write(data);
    });
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const own = (server.address() as { port: number }).port;
  return { url: url.replace(`:${port}`, `:${own}`), broken: () => breaks - left };
}

async function reach(breaks: number, options: ConnectOptions = {}) {
  const { tools, runs } = counting();
  const { url } = await start({}, { tools });
  const way = await breaking(url, breaks);
  const client: Client = await connect(httpTransport(way.url), options);
  onTestFinished(() => client.close());
  return { client, runs, broken: way.broken };
}

describe('a client that loses its connection before the response', () => {
  it.each(['handshake', 'stateless'] as const)(
    'calls again with the key of the call: it is served once (%s)',
    async (era) => {
      const { client, runs, broken } = await reach(2, { era });
      const { content } = await client.callTool('plain', {}, { idempotencyKey: 'mine' });
      expect(content).toMatchObject([{ text: 'run 1' }]);
      expect([runs(), broken()]).toEqual([1, 2]);
    },
  );

  it('retries a read-only tool that it has listed', async () => {
    const unseen = await reach(1);
    await expect(unseen.client.callTool('reads')).rejects.toThrow('No connection');
    const { client, runs } = await reach(1);
    await client.listTools().all();
    expect((await client.callTool('reads')).content).toMatchObject([{ text: 'run 2' }]);
    expect(runs()).toBe(2);
  });

  it('does not retry other tools', async () => {
    const { client, runs } = await reach(1);
    await client.listTools().all();
    await expect(client.callTool('plain')).rejects.toThrow('No connection');
    expect(runs()).toBe(1);
  });

  it('limits its retries', async () => {
    const { client, broken } = await reach(9);
    await expect(client.callTool('plain', {}, { idempotencyKey: 'a' })).rejects.toThrow('No connection');
    expect(broken()).toBe(3);
    await expect(client.callTool('plain', {}, { idempotencyKey: 'b', retries: 0 })).rejects.toThrow('No connection');
    expect(broken()).toBe(4);
    await expect(reach(0, { retries: 1.5 })).rejects.toThrow('"retries" must be a whole number');
  });
});

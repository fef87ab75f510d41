import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKey } from '../../packages/core/src/auth/server/api-key.ts';
import { tool } from '../../packages/core/src/server/define/define.ts';
import {
  handshake,
  statelessClient,
  type TestClient,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { type StartedServer, start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';
import { connectionsToAll } from '../../packages/core/src/transports/http/server/workers/fixtures/connection.ts';
import { startProgram } from '../../packages/core/src/transports/http/server/workers/fixtures/start.ts';
import { memoryStore } from '../../packages/core/src/stores/memory.ts';
import type { Store } from '../../packages/core/src/stores/store.ts';
import { sharedUrl } from '../../packages/redis/src/fixtures/redis.ts';
import { redisStore } from '../../packages/redis/src/store.ts';

const auth = apiKey({ keys: ['ann', 'bob'] });
const ann = { 'X-Api-Key': 'ann' };
const bob = { 'X-Api-Key': 'bob' };

type Settings = Parameters<typeof start>;

/** Three instances of a server, each with its own connection to the shared store. */
async function three(kind: string, options: Settings[0], settings: Settings[1] = {}): Promise<StartedServer[]> {
  const prefix = `test ${crypto.randomUUID()}`;
  const memory = memoryStore();
  const open = async (): Promise<Store> => {
    if (kind === 'memory') return memory;
    const store = await redisStore({ url: sharedUrl as string, prefix });
    onTestFinished(() => store.close());
    return store;
  };
  return Promise.all([0, 1, 2].map(async () => start({ auth, ...options, store: await open() }, settings)));
}

function callers(instances: StartedServer[], headers: Record<string, string>): TestClient[] {
  return instances.map(({ url }) => statelessClient(url, { headers }));
}

async function statuses(responses: Promise<Response>[]): Promise<Record<number, number>> {
  const counted: Record<number, number> = {};
  for (const response of await Promise.all(responses)) {
    await response.text();
    counted[response.status] = (counted[response.status] ?? 0) + 1;
  }
  return counted;
}

const kinds = sharedUrl === undefined ? ['memory'] : ['memory', 'Redis'];
const rateLimit = { calls: 40, perMs: 3_600_000 };

describe.each(kinds)('three instances that share %s', (kind) => {
  it.each<[string, Settings[0], Settings[1]]>([
    ['the endpoint', { rateLimit }, {}],
    ['the server', {}, { rateLimit }],
    ['a tool', {}, { tools: [tool('echo', { rateLimit }, () => 'x')] }],
  ])('allow together what one instance would, by the rate limit of %s (MI-10)', async (_, options, settings) => {
    const instances = await three(kind, options, settings);
    const flood = callers(instances, ann).flatMap((caller) =>
      Array.from({ length: 30 }, () => caller.sendCall('echo', settings?.tools ? {} : { text: 'x' })),
    );
    expect(await statuses(flood)).toEqual({ 200: 40, 429: 50 });
    const [other] = callers(instances, bob);
    expect((await other?.sendCall('echo', settings?.tools ? {} : { text: 'x' }))?.status).toBe(200);
  });

  it.each([
    { calls: 40, perMs: 60_000 },
    { calls: 40, perMs: 1000 },
    { calls: 40, perMs: 1000, burst: 10 },
  ])('allow the burst and what was refilled since the first call, at $calls per $perMs ms', async (limit) => {
    const instances = await three(kind, { rateLimit: limit });
    const began = performance.now();
    const floods = callers(instances, ann).map(async (caller) => {
      let served = 0;
      for (let round = 0; round < 4; round++) {
        const calls = Array.from({ length: 12 }, () => caller.sendCall('echo', { text: 'x' }));
        served += (await statuses(calls))[200] ?? 0;
      }
      return served;
    });
    const served = (await Promise.all(floods)).reduce((sum, each) => sum + each, 0);
    const cameIn = ((performance.now() - began) * limit.calls) / limit.perMs;
    expect(served).toBeLessThanOrEqual(Math.floor((limit.burst ?? limit.calls) + cameIn));
    expect(served).toBeGreaterThanOrEqual(limit.burst ?? limit.calls);
  });

  it('allow a caller the whole rate at one of them (MI-10)', async () => {
    const instances = await three(kind, { rateLimit });
    const [one] = callers(instances, ann);
    const flood = Array.from({ length: 60 }, () => (one as TestClient).sendCall('echo', { text: 'x' }));
    expect(await statuses(flood)).toEqual({ 200: 40, 429: 20 });
  });

  it('limit the concurrent calls of a caller like one instance, and release them', async () => {
    const instances = await three(kind, { maxRunning: 24 });
    const clients = callers(instances, ann);
    const flood = clients.flatMap((caller, index) =>
      Array.from({ length: 4 }, (_, call) => caller.sendCall('wait', { gate: `${index} ${call}` })),
    );
    // Rejections return immediately: six calls may run, and six of twelve are rejected.
    const rejected: Response[] = [];
    await new Promise<void>((resolve) => {
      const see = (response: Response): number => {
        if (response.status === 429) rejected.push(response);
        if (rejected.length === 6) resolve();
        return response.status;
      };
      for (const call of flood) void call.then(see);
    });
    expect(await rejected[0]?.json()).toMatchObject({ error: { data: { limit: 'caller' } } });
    expect(textOf(await (callers(instances, bob)[1] as TestClient).call('later', { text: 'x' }))).toBe('x');
    for (const [index, { gates }] of instances.entries()) {
      for (let call = 0; call < 4; call++) gates.open(`${index} ${call}`);
    }
    const all = await Promise.all(flood);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(6);
  });

  it('limit the streams of a caller like one instance', async () => {
    const instances = await three(kind, { maxStreams: 16 });
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const sessions = await Promise.all(
      Array.from({ length: 9 }, () => handshake((instances[0] as StartedServer).url, { headers: ann })),
    );
    const opened = await Promise.all(
      sessions.map((session, index) =>
        session.get({}, { url: (instances[index % 3] as StartedServer).url, signal: ending.signal }),
      ),
    );
    expect(opened.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(4);
    expect(opened.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

describe('three workers', () => {
  it('limit a rate like one process (MI-10)', async () => {
    const program = startProgram({ workers: 3, rateLimit: { calls: 60, perMs: 3_600_000 } });
    const url = await program.url;
    const connections = [...(await connectionsToAll(url, 3)).values()];
    let [served, rejected] = [0, 0];
    await Promise.all(
      connections.map(async (connection) => {
        for (let calls = 0; calls < 60; calls++) {
          await connection.call('who').then(
            () => (served += 1),
            (error: Error) => {
              expect(error.message).toMatch(/^429/);
              rejected += 1;
            },
          );
        }
      }),
    );
    // Some calls were made to find the workers.
    expect(served + rejected).toBe(180);
    expect(served).toBeLessThanOrEqual(57);
    expect(served).toBeGreaterThanOrEqual(40);
  });
});

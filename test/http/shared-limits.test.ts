import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKey } from '../../packages/core/src/auth/server/api-key.ts';
import { tool } from '../../packages/core/src/server/define/define.ts';
import {
  handshake,
  statelessClient,
  type TestClient,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { type Started, start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';
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

/** Three instances of a server, each with its own way to what they share. */
async function three(kind: string, options: Settings[0], settings: Settings[1] = {}): Promise<Started[]> {
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

function callers(instances: Started[], headers: Record<string, string>): TestClient[] {
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
  ])('let through together what one would, by the rate limit of %s (MI-10)', async (_, options, settings) => {
    const instances = await three(kind, options, settings);
    const flood = callers(instances, ann).flatMap((caller) =>
      Array.from({ length: 30 }, () => caller.sendCall('echo', settings?.tools ? {} : { text: 'x' })),
    );
    expect(await statuses(flood)).toEqual({ 200: 40, 429: 50 });
    const [other] = callers(instances, bob);
    expect((await other?.sendCall('echo', settings?.tools ? {} : { text: 'x' }))?.status).toBe(200);
  });

  it.each([
    { calls: 100, perMs: 60_000 },
    { calls: 100, perMs: 1000 },
    { calls: 100, perMs: 1000, burst: 10 },
  ])(
    'let through no more than the burst and what came in since the first call, by $calls per $perMs ms',
    async (limit) => {
      const instances = await three(kind, { rateLimit: limit });
      const began = performance.now();
      const floods = callers(instances, ann).map(async (caller) => {
        let served = 0;
        for (let round = 0; round < 10; round++) {
          const calls = Array.from({ length: 12 }, () => caller.sendCall('echo', { text: 'x' }));
          served += (await statuses(calls))[200] ?? 0;
        }
        return served;
      });
      const served = (await Promise.all(floods)).reduce((sum, each) => sum + each, 0);
      const cameIn = ((performance.now() - began) * limit.calls) / limit.perMs;
      expect(served).toBeLessThanOrEqual(Math.floor((limit.burst ?? limit.calls) + cameIn));
      expect(served).toBeGreaterThanOrEqual(limit.burst ?? limit.calls);
    },
  );

  it('let a caller have the whole rate at one of them (MI-10)', async () => {
    const instances = await three(kind, { rateLimit });
    const [one] = callers(instances, ann);
    const flood = Array.from({ length: 60 }, () => (one as TestClient).sendCall('echo', { text: 'x' }));
    expect(await statuses(flood)).toEqual({ 200: 40, 429: 20 });
  });

  it('let a caller run as many calls in all as one would, and as many as ever when those are done', async () => {
    const instances = await three(kind, { maxRunning: 24 });
    const clients = callers(instances, ann);
    const flood = clients.flatMap((caller, index) =>
      Array.from({ length: 4 }, (_, call) => caller.sendCall('wait', { gate: `${index} ${call}` })),
    );
    // Those that are refused come back at once: six may run, and six of twelve are refused.
    const refused: Response[] = [];
    await new Promise<void>((resolve) => {
      const see = (response: Response): number => {
        if (response.status === 429) refused.push(response);
        if (refused.length === 6) resolve();
        return response.status;
      };
      for (const call of flood) void call.then(see);
    });
    expect(await refused[0]?.json()).toMatchObject({ error: { data: { limit: 'caller' } } });
    expect(textOf(await (callers(instances, bob)[1] as TestClient).call('later', { text: 'x' }))).toBe('x');
    for (const [index, { gates }] of instances.entries()) {
      for (let call = 0; call < 4; call++) gates.open(`${index} ${call}`);
    }
    const all = await Promise.all(flood);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(6);
  });

  it('let a caller have as many streams in all as one would', async () => {
    const instances = await three(kind, { maxStreams: 16 });
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const sessions = await Promise.all(
      Array.from({ length: 9 }, () => handshake((instances[0] as Started).url, { headers: ann })),
    );
    const opened = await Promise.all(
      sessions.map((session, index) =>
        session.get({}, { url: (instances[index % 3] as Started).url, signal: ending.signal }),
      ),
    );
    expect(opened.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(4);
    expect(opened.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

describe('three workers', () => {
  it('let through together what one process would (MI-10)', async () => {
    const program = startProgram({ workers: 3, rateLimit: { calls: 60, perMs: 3_600_000 } });
    const url = await program.url;
    const connections = [...(await connectionsToAll(url, 3)).values()];
    let [served, refused] = [0, 0];
    await Promise.all(
      connections.map(async (connection) => {
        for (let calls = 0; calls < 60; calls++) {
          await connection.call('who').then(
            () => (served += 1),
            (error: Error) => {
              expect(error.message).toMatch(/^429/);
              refused += 1;
            },
          );
        }
      }),
    );
    // Some were made to find the workers.
    expect(served + refused).toBe(180);
    expect(served).toBeLessThanOrEqual(57);
    expect(served).toBeGreaterThanOrEqual(40);
  });
});

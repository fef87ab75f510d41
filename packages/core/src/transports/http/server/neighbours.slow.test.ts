import { describe, expect, it } from 'vitest';
import { apiKey } from '../../../auth/server/api-key.ts';
import { prompt, template, tool } from '../../../server/define/define.ts';
import {
  answerOf,
  handshake,
  initializeRequest,
  post,
  statelessClient,
  type TestClient,
  textOf,
} from './fixtures/client.ts';
import { rawConnection, rawPost, statusesIn } from './fixtures/raw.ts';
import { start } from './fixtures/start.ts';

const auth = apiKey({ keys: ['ann', 'bob'] });
const ann = { 'X-Api-Key': 'ann' };
const bob = { 'X-Api-Key': 'bob' };
const eras = ['2025-11-25', '2026-07-28'];

async function client(url: string, version: string, headers: Record<string, string> = {}): Promise<TestClient> {
  return version === '2026-07-28' ? statelessClient(url, { headers }) : handshake(url, { version, headers });
}

/** The rejection of a request: the status, Retry-After in seconds, and the error. */
async function rejection(response: Response): Promise<unknown> {
  const { id, error } = await answerOf(response);
  return { status: response.status, seconds: Number(response.headers.get('retry-after')), id, error };
}

const own = { code: -32603, data: { limit: 'caller', retryAfterMs: expect.any(Number) } };

describe('the quota of one caller', () => {
  it.each(eras)('is a quarter of the running calls, and others are served (RX-03, %s)', async (version) => {
    const { url, gates } = await start({ auth, maxRunning: 8 });
    const [greedy, modest] = [await client(url, version, ann), await client(url, version, bob)];
    const calls = ['a', 'b'].map((gate) => greedy.call('wait', { gate }));
    await Promise.all(['a', 'b'].map(gates.reached));
    expect(await rejection(await greedy.sendCall('echo', { text: 'x' }, { id: 'mine' }))).toEqual({
      status: 429,
      seconds: 1,
      id: 'mine',
      error: { ...own, message: expect.stringMatching(/^Too much at once: 2 calls are running for you/) },
    });
    if (version !== '2026-07-28') expect(await greedy.request('ping')).toMatchObject({ result: {} });
    expect(textOf(await modest.call('echo', { text: 'x' }))).toBe('x');
    gates.open('a');
    await calls[0];
    expect(textOf(await greedy.call('echo', { text: 'x' }))).toBe('x');
    gates.open('b');
    await Promise.all(calls);
  });

  it('counts each member of a batch as a call', async () => {
    const { url, gates } = await start({ auth, maxRunning: 8 });
    const greedy = await handshake(url, { version: '2025-03-26', headers: ann });
    const call = (id: string, name: string, args: object): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const batch = ['a', 'b', 'c', 'd'].map((gate) => call(gate, 'wait', { gate }));
    const answers = greedy.post(batch);
    await Promise.all(['a', 'b'].map(gates.reached));
    expect((await greedy.sendCall('echo', { text: 'x' })).status).toBe(429);
    for (const gate of ['a', 'b']) gates.open(gate);
    const all = (await (await answers).json()) as { id: string; error?: object }[];
    expect(all.filter(({ error }) => error !== undefined)).toMatchObject([
      { id: 'c', error: own },
      { id: 'd', error: own },
    ]);
  });

  it.each(eras)('is a quarter of the streams (%s)', async (version) => {
    const { url } = await start({ auth, maxStreams: 4 });
    const listen = async (headers: Record<string, string>): Promise<Response> => {
      if (version !== '2026-07-28') return (await handshake(url, { headers })).get();
      const params = { notifications: { toolsListChanged: true } };
      return statelessClient(url, { headers }).send('subscriptions/listen', params);
    };
    expect((await listen(ann)).status).toBe(200);
    expect(await rejection(await listen(ann))).toMatchObject({
      status: 429,
      seconds: 5,
      error: { ...own, message: expect.stringMatching(/1 streams are open for you.*close some/) },
    });
    expect((await listen(bob)).status).toBe(200);
  });

  it('evicts sessions of the same caller only (SS-06)', async () => {
    const { url } = await start({ auth, sessions: { max: 8 } });
    const early = await handshake(url, { headers: bob });
    const first = await handshake(url, { headers: ann });
    for (let each = 0; each < 20; each++) await handshake(url, { headers: ann });
    expect((await first.send('ping')).status).toBe(404);
    expect((await early.send('ping')).status).toBe(200);
  });

  it('is a quarter of all subscriptions in open requests (RX-01)', async () => {
    const { url } = await start({ auth, callerShare: 2 });
    const resourceSubscriptions = Array.from({ length: 15 }, (_, each) => `test://${each}/${'x'.repeat(8000)}`);
    const listen = (headers: Record<string, string>): Promise<Response> =>
      statelessClient(url, { headers }).send('subscriptions/listen', { notifications: { resourceSubscriptions } });
    expect((await listen(ann)).status).toBe(200);
    expect(await rejection(await listen(ann))).toMatchObject({
      status: 429,
      error: { ...own, message: expect.stringMatching(/\d bytes of subscribed URIs are held for you/) },
    });
    expect((await listen(bob)).status).toBe(200);
  });

  it('is a quarter of all subscriptions over the sessions of a caller (RX-02)', async () => {
    const templates = [template('test://{+path}', { name: 'any' }, () => 'x')];
    const { url } = await start({ auth, callerShare: 2 }, { templates });
    const watchMuch = async (headers: Record<string, string>): Promise<number> => {
      const session = await handshake(url, { headers });
      for (let each = 0; each < 15; each++) {
        const uri = `test://${each}/${'x'.repeat(8000)}`;
        const { error } = await session.request('resources/subscribe', { uri });
        if (error === undefined) continue;
        expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/room for one caller/) });
        return each;
      }
      return 15;
    };
    expect(await watchMuch(ann)).toBe(15);
    expect(await watchMuch(ann)).toBeLessThan(15);
    expect(await watchMuch(bob)).toBe(15);
  });

  it('applies to a session without authentication, and to an address with half of everything', async () => {
    const { url, gates } = await start({ maxRunning: 8 });
    const [one, two, three] = [await handshake(url), await handshake(url), await handshake(url)];
    const gatesOf = ['a', 'b', 'c', 'd'];
    const calls = gatesOf.map((gate, each) => (each < 2 ? one : two).call('wait', { gate }));
    await Promise.all(gatesOf.slice(0, 2).map(gates.reached));
    expect(await rejection(await one.sendCall('echo', { text: 'x' }))).toMatchObject({ status: 429, error: own });
    await Promise.all(gatesOf.map(gates.reached));
    expect(await rejection(await three.sendCall('echo', { text: 'x' }))).toMatchObject({
      status: 429,
      error: { data: { limit: 'address' }, message: expect.stringMatching(/callers from your address/) },
    });
    for (const gate of gatesOf) gates.open(gate);
    await Promise.all(calls);
  });

  it('applies to the caller that callerOf names', async () => {
    const { url, gates } = await start({
      maxRunning: 4,
      callerOf: ({ header }) => header('x-forwarded-for')?.split(', ').at(-1),
    });
    const [one, two] = ['10.0.0.1', '10.0.0.2'].map((from) =>
      statelessClient(url, { headers: { 'X-Forwarded-For': from } }),
    );
    const call = one?.call('wait', { gate: 'g' });
    await gates.reached('g');
    expect((await one?.sendCall('echo', { text: 'x' }))?.status).toBe(429);
    expect(textOf((await two?.call('echo', { text: 'x' })) as never)).toBe('x');
    gates.open('g');
    await call;
  });
});

describe('a rate limit over HTTP', () => {
  const rateLimit = { calls: 2, perMs: 3_600_000 };

  it.each(eras)('responds with 429 and Retry-After, per caller (RX-04, %s)', async (version) => {
    const { url } = await start({ auth }, { rateLimit: { ...rateLimit, burst: version === '2026-07-28' ? 2 : 3 } });
    const greedy = await client(url, version, ann);
    for (let each = 0; each < 2; each++) expect((await greedy.sendCall('echo', { text: 'x' })).status).toBe(200);
    for (let each = 0; each < 2; each++) {
      expect(await rejection(await greedy.sendCall('echo', { text: 'x' }, { id: 'mine' }))).toMatchObject({
        status: 429,
        seconds: expect.closeTo(1800, -2),
        id: 'mine',
        error: { ...own, message: expect.stringMatching(/^Too many requests: try again in \d+ ms$/) },
      });
    }
    expect((await (await client(url, version, bob)).sendCall('echo', { text: 'x' })).status).toBe(200);
  });

  it('can be set on the endpoint', async () => {
    const { url } = await start({ auth, rateLimit });
    const [greedy, modest] = [statelessClient(url, { headers: ann }), statelessClient(url, { headers: bob })];
    const statuses = [];
    for (let each = 0; each < 3; each++) statuses.push((await greedy.send('tools/list')).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await modest.send('tools/list')).status).toBe(200);
  });

  it('can not be bypassed with new or forged sessions', async () => {
    const { url } = await start({ rateLimit: { calls: 6, perMs: 3_600_000 } });
    const statuses = [];
    for (let each = 0; each < 8; each++) {
      const headers = { 'Mcp-Session-Id': crypto.randomUUID() };
      statuses.push((await statelessClient(url, { headers }).sendCall('echo', { text: 'x' })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect((await post(url, initializeRequest())).status).toBe(429);
  });

  it('can be set on a tool', async () => {
    const { url } = await start(
      {},
      { tools: [tool('dear', { rateLimit }, () => 'served'), tool('cheap', {}, () => 'served')] },
    );
    const caller = statelessClient(url);
    const statuses = [];
    for (let each = 0; each < 3; each++) statuses.push((await caller.sendCall('dear')).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await caller.sendCall('cheap')).status).toBe(200);
  });

  it.each(eras)('sends RateLimit headers with every response (%s)', async (version) => {
    const limit = { calls: 3, perMs: 60_000 };
    const tools = [tool('dear', { rateLimit: { calls: 1, perMs: 1000 } }, () => 'served')];
    const { url } = await start({ auth, rateLimit: limit }, { tools, rateLimit: { ...limit, burst: 9 } });
    const caller = await client(url, version, ann);
    const first = await caller.sendCall('dear');
    const spent = version === '2026-07-28' ? 1 : 2;
    const fields = ({ headers }: Response): unknown => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
    const policies = '"default";q=3;w=60, "server";q=3;w=60';
    expect(fields(first)).toEqual([
      `${policies}, "tool";q=1;w=1`,
      `"default";r=${3 - spent};t=${20 * spent}, "server";r=${9 - spent};t=${20 * spent}, "tool";r=0;t=1`,
    ]);
    if (version === '2026-07-28') await (await caller.send('tools/list')).text();
    const second = await caller.send('tools/list');
    expect(fields(second)).toEqual([policies, '"default";r=0;t=60, "server";r=6;t=60']);
    const rejected = await caller.send('tools/list');
    expect(rejected.status).toBe(429);
    expect(fields(rejected)).toEqual(['"default";q=3;w=60', '"default";r=0;t=20']);
    expect(fields(await caller.send('tools/list', {}, { headers: bob }))).not.toEqual(fields(rejected));
  });

  it('sends no RateLimit headers if there is none', async () => {
    const { url } = await start();
    const { headers } = await statelessClient(url).sendCall('echo', { text: 'x' });
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([null, null]);
  });

  it('sends RateLimit headers at the start of a stream', async () => {
    const { url, gates } = await start({ rateLimit: { calls: 3, perMs: 60_000 } });
    const stream = await statelessClient(url).sendCall('steps', { gate: 'g' }, { meta: { progressToken: 1 } });
    expect(stream.headers.get('ratelimit')).toBe('"default";r=2;t=20');
    gates.open('g');
    await stream.text();
  });

  it('limits completions per principal (RX-10)', async () => {
    const complete = (value: string): string[] => [`${value}!`];
    const prompts = [prompt('greet', { arguments: { name: { complete } } }, () => 'hi')];
    const { url } = await start({ auth }, { prompts, rateLimit: { calls: 10, perMs: 3_600_000 } });
    const params = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'x' } };
    const greedy = statelessClient(url, { headers: ann });
    const flood = await Promise.all(Array.from({ length: 30 }, () => greedy.send('completion/complete', params)));
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(await statelessClient(url, { headers: bob }).request('completion/complete', params)).toMatchObject({
      result: { completion: { values: ['x!'] } },
    });
  });
});

describe('a flood of one caller', () => {
  it('is scheduled after requests of others, and served completely (RX-15)', async () => {
    const order: string[] = [];
    const busy = tool('busy', {}, (_, { auth }) => {
      order.push(auth?.principal ?? '');
      for (const end = performance.now() + 1; performance.now() < end; );
      return 'done';
    });
    const { url } = await start({ auth }, { tools: [busy] });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'busy' } });
    const [greedy, modest] = [await rawConnection(url), await rawConnection(url)];
    modest.write(rawPost(url, call, bob));
    await modest.answers(1);
    greedy.write(rawPost(url, call, ann).repeat(200));
    modest.write(rawPost(url, call, bob));
    await modest.answers(2);
    expect(order.lastIndexOf(order[0] as string)).toBeLessThan(20);
    expect(statusesIn(await greedy.answers(200))).toEqual(Array.from({ length: 200 }, () => 200));
  });

  it('on one connection is rejected above the queue limit, and others are served', async () => {
    const { url } = await start({ auth });
    const modest = statelessClient(url, { headers: bob });
    await modest.call('echo', { text: 'x' });
    const greedy = await rawConnection(url);
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    greedy.write(rawPost(url, ping, ann).repeat(3000));
    expect(textOf(await modest.call('echo', { text: 'x' }))).toBe('x');
    const received = await greedy.answers(3000);
    expect(new Set(statusesIn(received))).toEqual(new Set([200, 429]));
    expect(received).toMatch(/requests are waiting for their turn for you/);
  });
});

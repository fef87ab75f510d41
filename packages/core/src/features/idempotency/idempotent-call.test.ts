import { afterEach, describe, expect, it, vi } from 'vitest';
import { idempotencyMetaKey } from '../../protocol/meta.ts';
import { memoryStore } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { createGates, type Gates } from '../../transports/http/server/fixtures/gates.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import {
  type DirectClient,
  type DirectClientOptions,
  connectDirect,
  textOf,
} from '../../server/fixtures/direct-client.ts';
import { ProtocolError } from '../../jsonrpc/errors.ts';

afterEach(() => vi.useRealTimers());

const anything = { type: 'object' } as const;

interface Counting {
  client: DirectClient;
  gates: Gates;
  runs: () => number;
  call(key: unknown, args?: object, name?: string): ReturnType<DirectClient['request']>;
}

/** A server whose tools count how often they ran, and one who calls them. */
function counting(options: Partial<ServerOptions> = {}, clientOptions?: DirectClientOptions): Counting {
  const gates = createGates();
  let runs = 0;
  const run = (): string => `run ${(runs += 1)}`;
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      tool('count', { input: anything }, run),
      tool('other', { input: anything }, run),
      tool('long', { input: anything }, () => run() + 'x'.repeat(1000)),
      tool('large', { input: anything }, () => run() + 'x'.repeat(200_000)),
      tool('fails', { input: anything }, () => {
        run();
        throw new Error('broken');
      }),
      tool('rejects', { input: anything }, () => {
        run();
        throw new ProtocolError(-32000, 'not now');
      }),
      tool('waits', { input: anything, annotations: { idempotentHint: true } }, async (_, { signal }) => {
        const said = run();
        await gates.wait('gate', signal);
        return said;
      }),
      tool('books', { input: anything }, async (_, { signal }) => {
        const said = run();
        await gates.wait('gate', signal);
        return said;
      }),
      tool('asks', { input: anything }, async (_, { elicit }) => {
        const { content } = await elicit({
          message: 'Who?',
          schema: { type: 'object', properties: { n: { type: 'string' } } },
        });
        return `${run()} ${content?.n}`;
      }),
    ],
    logger: { level: 'emergency', write: () => {} },
    ...options,
  });
  const opened = connectDirect(server, clientOptions);
  return {
    client: opened,
    gates,
    runs: () => runs,
    call: (key, args = {}, name = 'count') =>
      opened.request('tools/call', { name, arguments: args, _meta: { [idempotencyMetaKey]: key } }),
  };
}

describe.each(['2026-07-28', '2025-06-18'])('a call with an idempotency key (%s)', (version) => {
  it('is served once and answered each time', async () => {
    const { call, runs } = counting({}, { version });
    const first = await call('a', { x: 1, y: { p: 1, q: 2 } });
    expect(textOf(first)).toBe('run 1');
    const again = await call('a', { y: { q: 2, p: 1 }, x: 1 });
    expect(again?.result).toEqual(first?.result);
    expect(runs()).toBe(1);
    expect(textOf(await call('b', { x: 1 }))).toBe('run 2');
    expect(textOf(await call('a', {}, 'other'))).toBe('run 3');
  });

  it('is rejected if the key was used with other arguments', async () => {
    const { call, runs } = counting({}, { version });
    await call('a', { x: 1 });
    expect((await call('a', { x: 2 }))?.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('used with other arguments: use a new one'),
    });
    expect(runs()).toBe(1);
  });
});

describe('a call with an idempotency key', () => {
  it.each([['', 5, {}, 'x'.repeat(257)]].flat())('is rejected if the key is invalid: %s', async (key) => {
    const { call, runs } = counting();
    expect((await call(key))?.error.message).toMatch(/must be a text of 1 to 256 characters/);
    expect(runs()).toBe(0);
  });

  it('is rejected if its arguments are nested too deeply to be compared', async () => {
    const { call } = counting();
    const deep = JSON.parse('{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000));
    expect((await call('a', deep))?.error.message).toMatch(/not nested so deeply/);
  });

  it('waits while another call with its key runs', async () => {
    const { call, runs, gates } = counting();
    const both = [Promise.resolve(call('a', {}, 'waits')), Promise.resolve(call('a', {}, 'waits'))];
    await gates.reached('gate');
    expect((await call('a', { other: true }, 'waits'))?.error.message).toMatch(/other arguments/);
    gates.open('gate');
    expect((await Promise.all(both)).map(textOf)).toEqual(['run 1', 'run 1']);
    expect(runs()).toBe(1);
  });

  it('returns a stored tool error again; a rejected call may be retried', async () => {
    const { call, runs } = counting();
    for (let tries = 0; tries < 2; tries++) expect((await call('a', {}, 'fails'))?.result.isError).toBe(true);
    expect(runs()).toBe(1);
    for (let tries = 0; tries < 2; tries++) expect((await call('a', {}, 'rejects'))?.error.code).toBe(-32000);
    expect(runs()).toBe(3);
  });

  it('may be retried after a cancellation', async () => {
    const { call, client, gates } = counting();
    const first = call('a', {}, 'waits');
    await gates.reached('gate');
    for (const running of client.peer.running.values()) running.cancel();
    expect(await first).toBeUndefined();
    gates.open('gate');
    expect(textOf(await call('a', {}, 'waits'))).toBe('run 2');
  });

  it('may ask questions: only the final result is stored', async () => {
    const { client, runs } = counting({}, { capabilities: { elicitation: {} } });
    const params = { name: 'asks', arguments: {}, _meta: { [idempotencyMetaKey]: 'a' } };
    const asked = await client.request('tools/call', params);
    const { requestState, inputRequests } = asked?.result ?? {};
    const [question] = Object.keys(inputRequests as object);
    const inputResponses = { [question as string]: { action: 'accept', content: { n: 'Ann' } } };
    const round = { ...params, requestState, inputResponses };
    expect(textOf(await client.request('tools/call', round))).toBe('run 1 Ann');
    expect(textOf(await client.request('tools/call', round))).toBe('run 1 Ann');
    expect(runs()).toBe(1);
  });

  it('is stored per caller', async () => {
    const store = memoryStore();
    const one = counting({}, { store, auth: { principal: 'ann' } });
    const two = counting({}, { store, auth: { principal: 'bob' } });
    await one.call('a');
    await two.call('a');
    expect([one.runs(), two.runs()]).toEqual([1, 1]);
  });

  it('is not run again if its answer was too long to store', async () => {
    const { call, runs } = counting({ idempotency: { maxAnswer: 500 } });
    expect(textOf(await call('a', {}, 'long'))).toMatch(/^run 1x/);
    expect((await call('a', {}, 'long'))?.error.message).toMatch(/was served before, but its response was too long/);
    expect(runs()).toBe(1);
  });

  it('expires', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { call, runs } = counting({ idempotency: { keepMs: 60_000 } });
    await call('a');
    vi.advanceTimersByTime(59_000);
    await call('a');
    expect(runs()).toBe(1);
    vi.advanceTimersByTime(61_000);
    await call('a');
    expect(runs()).toBe(2);
  });

  /** Begins a call on an instance that dies in the middle of it, and makes it again on another. */
  async function afterDeath(
    name: string,
  ): Promise<{ two: Counting; late: ReturnType<DirectClient['request']>; waited: number }> {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'setTimeout', 'clearTimeout', 'clearInterval'] });
    const store = memoryStore();
    let isDead = false;
    const mortal: Store = {
      ...store,
      lease: (...given) => (isDead ? false : store.lease(...given)),
      release: (...given) => !isDead && store.release(...given),
    };
    const one = counting({}, { store: mortal });
    let arrived = (): void => {};
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    const lease: Store['lease'] = (...given) => {
      arrived();
      return store.lease(...given);
    };
    const two = counting({}, { store: { ...store, lease } });
    void one.call('a', {}, name);
    await one.gates.reached('gate');
    isDead = true;
    const late = Promise.resolve(two.call('a', {}, name));
    two.gates.open('gate');
    await isThere;
    const answered = vi.fn<() => void>();
    void late.then(answered);
    let waited = 0;
    for (; waited < 60 && answered.mock.calls.length === 0; waited++) await vi.advanceTimersByTimeAsync(1000);
    return { two, late, waited };
  }

  it('runs again on another instance after a crash if its tool is repeatable', async () => {
    const { two, late, waited } = await afterDeath('waits');
    expect(textOf(await late)).toBe('run 1');
    expect(two.runs()).toBe(1);
    expect(waited).toBeLessThanOrEqual(12);
  });

  it('is not run again after a crash if its tool is not repeatable', async () => {
    const { two, late, waited } = await afterDeath('books');
    expect((await late)?.error).toMatchObject({ code: -32603, message: expect.stringContaining('not begun again') });
    expect((await two.call('a', {}, 'books'))?.error?.message).toContain('not begun again');
    expect(two.runs()).toBe(0);
    expect(waited).toBeLessThanOrEqual(12);
  });

  it('is not run again if its instance crashed before the answer was stored', async () => {
    const store = memoryStore();
    const forgetful: Store = { ...store, create: () => 'full' };
    const { call, runs } = counting({}, { store: forgetful });
    await call('a');
    expect((await call('a'))?.error?.message).toContain('has expired');
    expect(runs()).toBe(1);
  });

  it('keeps its answer whatever other callers store', async () => {
    const store = memoryStore();
    const ann = counting({}, { store, auth: { principal: 'ann' } });
    const bob = counting({}, { store, auth: { principal: 'bob' } });
    const first = await bob.call('b');
    for (let each = 0; each < 100; each++) await ann.call(`a${each}`, {}, 'large');
    expect((await bob.call('b'))?.result).toEqual(first?.result);
    expect(bob.runs()).toBe(1);
  });

  it("evicts the caller's own oldest answers beyond the limit", async () => {
    const { call, runs } = counting({}, { store: memoryStore(), auth: { principal: 'ann' } });
    for (let each = 0; each < 100; each++) await call(`a${each}`, {}, 'large');
    expect((await call('a99', {}, 'large'))?.result).toBeDefined();
    expect((await call('a0', {}, 'large'))?.error?.message).toContain('has expired');
    expect(runs()).toBe(100);
  });

  it('is rejected while its key can not be looked up', async () => {
    const away = (): never => {
      throw new Error('away');
    };
    const { call, runs } = counting({}, { store: { ...memoryStore(), lease: away } });
    expect((await call('a'))?.error).toMatchObject({ code: -32603, data: { retryAfterMs: 1000, limit: 'server' } });
    expect(runs()).toBe(0);
  });

  it('is answered if the answer could not be stored, and the failure is logged', async () => {
    const lines: unknown[] = [];
    const update = (): never => {
      throw new Error('full');
    };
    const { call } = counting(
      { logger: { level: 'error', write: ({ data }) => void lines.push(data) } },
      { store: { ...memoryStore(), update } },
    );
    expect(textOf(await call('a'))).toBe('run 1');
    expect(lines).toEqual(['The answer to a call with an idempotency key could not be remembered']);
  });

  it('ignores the key with idempotency: false', async () => {
    const { call, runs } = counting({ idempotency: false });
    await call('a');
    await call('a');
    expect(runs()).toBe(2);
  });

  it.each([{ keepMs: 0 }, { keepMs: Number.NaN }, { maxAnswer: -1 }, { maxAnswer: '5' as never }])(
    'rejects invalid options: %o',
    (idempotency) => {
      expect(() => createServer({ name: 's', version: '1', idempotency })).toThrow(
        /^idempotency\.\w+ must be a number/,
      );
    },
  );
});

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { compose } from '../../compose.ts';
import type { Context } from './context.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { prompt, resource, template, tool } from '../define/define.ts';
import { connectDirect, textOf } from '../fixtures/direct-client.ts';
import type { LogEntry } from '../log/log.ts';
import { replaceable } from '../replaceable.ts';
import type { Server } from '../server.ts';
import { validateTimeLimit } from '../settings.ts';
import { duration, HandlerTimeouts, type TimedCall } from './timeout.ts';

const eras = ['2025-11-25', '2026-07-28'] as const;

/** Long enough for a handler that does nothing, short enough to be waited for. */
const SHORT = 40;

/** A log that can be waited for. */
function watchedLog(): { logger: NonNullable<ServerOptions['logger']>; next: (part: string) => Promise<LogEntry> } {
  const entries: LogEntry[] = [];
  const waiting = new Set<() => void>();
  const logger: ServerOptions['logger'] = {
    level: 'warning',
    write(entry) {
      entries.push(entry);
      for (const look of waiting) look();
    },
  };
  const next = (part: string): Promise<LogEntry> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = entries.find(({ data }) => String(data).includes(part));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { logger, next };
}

/** Works until it is asked to stop. */
async function heeding({ signal }: Context): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function quiet(options: Partial<ServerOptions>): Server {
  const logger = { level: 'emergency', write: () => {} } as const;
  return createServer({ name: 'slow', version: '1', handlerTimeoutMs: SHORT, logger, ...options });
}

describe.each(eras)('the time limit of handlers, in %s', (version) => {
  it('LC-13: ends a tool that never returns, with a result that the model can read', async () => {
    const signals: AbortSignal[] = [];
    const server = quiet({
      tools: [tool('hang', {}, (_, { signal }) => (signals.push(signal), never()))],
    });
    const { request, peer } = connectDirect(server, { version });
    const answer = await request('tools/call', { name: 'hang' });
    expect(answer?.result?.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^Tool "hang" did not finish within 0\.04 seconds and was told to stop\./);
    expect(signals[0]?.aborted).toBe(true);
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
    expect(peer.running.size).toBe(0);
  });

  it('LC-13: ends prompts, reads, lists and completions that never return, with an error', async () => {
    const server = quiet({
      prompts: [prompt('hang', { arguments: { a: { complete: never } } }, never)],
      resources: [resource('hang://one', {}, never)],
      templates: [template('hang://{id}', { list: never }, never)],
    });
    const { request } = connectDirect(server, { version });
    const requests: [string, object][] = [
      ['prompts/get', { name: 'hang' }],
      ['resources/read', { uri: 'hang://one' }],
      ['resources/read', { uri: 'hang://two' }],
      ['resources/list', {}],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'hang' }, argument: { name: 'a', value: '' } }],
    ];
    const answers = await Promise.all(requests.map(async ([method, params]) => request(method, { ...params })));
    expect(answers.map((answer) => answer?.error?.code)).toEqual(Array(5).fill(-32603));
    expect(answers.map((answer) => answer?.error?.message.split(' did not')[0])).toEqual([
      'Prompt "hang"',
      'Resource "hang://one"',
      'Resource "hang://two"',
      'resources/list',
      'completion/complete',
    ]);
  });

  it('frees the slot of the call, also if the handler keeps running', async () => {
    const server = quiet({ maxRunning: 1, tools: [tool('hang', {}, never), tool('quick', {}, async () => 'quick')] });
    const { request } = connectDirect(server, { version });
    const hanging = request('tools/call', { name: 'hang' });
    expect((await request('tools/call', { name: 'quick' }))?.error?.message).toMatch(/busy/);
    await hanging;
    expect(textOf(await request('tools/call', { name: 'quick' }))).toBe('quick');
  });

  it('may be another for a tool, or none', async () => {
    let finish = (): void => {};
    const server = quiet({
      tools: [
        tool('patient', { timeoutMs: Infinity }, () => new Promise((resolve) => (finish = () => resolve('done')))),
        tool('hang', {}, never),
      ],
    });
    const { request } = connectDirect(server, { version });
    const patient = request('tools/call', { name: 'patient' });
    for (let each = 0; each < 3; each++) await request('tools/call', { name: 'hang' });
    finish();
    expect(textOf(await patient)).toBe('done');

    const strict = quiet({ handlerTimeoutMs: Infinity, tools: [tool('hang', { timeoutMs: SHORT }, never)] });
    expect(textOf(await connectDirect(strict, { version }).request('tools/call', { name: 'hang' }))).toMatch(
      /did not finish/,
    );
  });
});

describe('the time limit of handlers', () => {
  it('does not count the time in which a person is asked', async () => {
    const server = quiet({
      tools: [
        tool('ask', {}, async (_, { elicit }) => (await elicit({ message: 'Well?', url: 'https://a.example' })).action),
        tool('hang', {}, never),
      ],
    });
    let answer = (_: Record<string, unknown>): void => {};
    const { request } = connectDirect(server, {
      version: '2025-11-25',
      capabilities: { elicitation: { url: {} } },
      ask: () => new Promise((resolve) => (answer = resolve)),
    });
    const asking = request('tools/call', { name: 'ask' });
    for (let each = 0; each < 3; each++) await request('tools/call', { name: 'hang' });
    answer({ action: 'accept' });
    expect(textOf(await asking)).toBe('accept');
  });

  it('counts the time after an answer', async () => {
    const server = quiet({ tools: [tool('ask', {}, async (_, { roots }) => (await roots(), never()))] });
    const { request } = connectDirect(server, {
      version: '2025-11-25',
      capabilities: { roots: {} },
      ask: async () => ({ roots: [] }),
    });
    expect(textOf(await request('tools/call', { name: 'ask' }))).toMatch(/did not finish/);
  });

  it('leaves subscriptions alone', async () => {
    const server = quiet({ tools: [tool('hang', {}, never)] });
    const { request, peer } = connectDirect(server);
    void request('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'listening');
    for (let each = 0; each < 3; each++) await request('tools/call', { name: 'hang' });
    expect([...peer.running.keys()]).toEqual(['listening']);
    peer.running.get('listening')?.close();
  });

  it('is sent to the operator, and so is a handler that does not stop, until it ends', async () => {
    const { logger, next } = watchedLog();
    let finish = (): void => {};
    const ended = new Promise<void>((resolve) => (finish = resolve));
    const server = quiet({
      logger,
      tools: [tool('deaf', {}, () => ended), tool('heeding', {}, (_, context) => heeding(context))],
    });
    const { request } = connectDirect(server);
    const calls = ['deaf', 'deaf', 'heeding'].map(async (name) => request('tools/call', { name }));
    await Promise.all(calls);
    const late = await next('Not done in time');
    expect(late.data).toContain('Tool "deaf" (limit: 0.04 seconds), 2 calls; Tool "heeding" (limit: 0.04 seconds)');
    expect(server.stuck).toEqual([]);
    const stuck = await next('Stuck');
    expect(stuck.data).toContain('Tool "deaf" (limit: 0.04 seconds), 2 calls. A handler must end');
    expect(stuck.data).not.toContain('heeding');
    expect(server.stuck).toMatchObject([
      { what: 'Tool "deaf"', method: 'tools/call' },
      { what: 'Tool "deaf"', method: 'tools/call' },
    ]);
    expect(server.stuck[0]?.runningMs).toBeGreaterThanOrEqual(SHORT);
    finish();
    await setImmediate();
    expect(server.stuck).toEqual([]);
  });

  it('lists a handler as stuck that runs on after its call was cancelled', async () => {
    const { logger, next } = watchedLog();
    const server = quiet({ logger, tools: [tool('deaf', {}, never)] });
    const { request, notify } = connectDirect(server, { version: '2025-11-25' });
    const call = request('tools/call', { name: 'deaf' }, 7);
    notify('notifications/cancelled', { requestId: 7 });
    expect(await call).toBeUndefined();
    await next('Stuck');
    expect(server.stuck).toHaveLength(1);
  });

  it('applies if the log fails', async () => {
    const failing = () => {
      throw new Error('The disk is full');
    };
    const server = quiet({ logger: { level: 'warning', write: failing }, tools: [tool('deaf', {}, never)] });
    expect(textOf(await connectDirect(server).request('tools/call', { name: 'deaf' }))).toMatch(/did not finish/);
  });

  it('names at most ten in one line of the log', async () => {
    const { logger, next } = watchedLog();
    const names = Array.from({ length: 12 }, (_, each) => `hang${each}`);
    const server = quiet({ logger, tools: names.map((name) => tool(name, {}, never)) });
    const { request } = connectDirect(server);
    await Promise.all(names.map(async (name) => request('tools/call', { name })));
    expect((await next('Not done in time')).data).toMatch(/"hang9" \(limit: 0\.04 seconds\); and 2 more$/);
  });

  it('is that of the part, in a composed server', async () => {
    const part = quiet({ tools: [tool('hang', {}, never)] });
    const logger = { level: 'emergency', write: () => {} } as const;
    const whole = compose({ part: { server: part, prefix: 'p_' } }, { name: 'whole', version: '1', logger });
    expect(textOf(await connectDirect(whole).request('tools/call', { name: 'p_hang' }))).toMatch(
      /^Tool "p_hang" did not/,
    );
  });

  it('lists stuck handlers after the server was replaced', async () => {
    const { logger, next } = watchedLog();
    const current = replaceable(quiet({ logger, tools: [tool('deaf', {}, never)] }));
    const { request } = connectDirect(current.server);
    const call = request('tools/call', { name: 'deaf' });
    current.replace(quiet({}));
    await call;
    await next('Stuck');
    expect(current.server.stuck).toHaveLength(1);
  });

  it.each([0, -1, Number.NaN, '5' as unknown as number])('can not be %s', (ms) => {
    expect(() => quiet({ handlerTimeoutMs: ms })).toThrow('handlerTimeoutMs must be a number of milliseconds above 0');
    expect(() => tool('t', { timeoutMs: ms }, never)).not.toThrow();
    expect(() => quiet({ tools: [tool('t', { timeoutMs: ms }, never)] })).toThrow(
      'Tool "t": timeoutMs must be a number',
    );
    expect(() => validateTimeLimit('it', ms)).toThrow(TypeError);
  });
});

describe('a time in words', () => {
  it.each([
    [300_000, '5 minutes'],
    [60_000, '1 minute'],
    [90_000, '90 seconds'],
    [1000, '1 second'],
    [1500, '1.5 seconds'],
  ])('%s ms', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});

describe('on a runtime where a timer ends with the request that set it', () => {
  /** A call that runs beyond its timeout. */
  function endless(name: string, expired: string[]): TimedCall & { done: boolean } {
    const expire = (): void => {
      expired.push(name);
      call.done = true;
    };
    const call = { method: 'tools/call', timeLimitMs: 100, done: false, paused: false, subject: name, expire };
    return call;
  }

  it('each call has one of its own, and all that are stuck are known', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const said: string[] = [];
    const expired: string[] = [];
    const limit = new HandlerTimeouts((_, message) => said.push(message), { apart: true });
    // Not by a spy: at the end of the file that would bring the stopped clock back.
    const { setInterval: stopped } = globalThis;
    let lost: NodeJS.Timeout | undefined;
    globalThis.setInterval = ((act: () => void, ms: number) => (lost = stopped(act, ms))) as typeof setInterval;
    limit.watch(endless('lost', expired));
    globalThis.setInterval = stopped;
    clearInterval(lost);
    const timings = ['one', 'two'].map((name) => limit.watch(endless(name, expired)));
    vi.advanceTimersByTime(300);
    expect(expired).toEqual(['one', 'two']);
    expect(limit.stuck.map(({ what }) => what)).toEqual(['one', 'two']);
    for (const timing of timings) timing.end();
    expect(limit.stuck).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
    expect(said).toHaveLength(4);
  });
});

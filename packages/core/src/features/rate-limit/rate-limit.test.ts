import { describe, expect, it } from 'vitest';
import { connectDirect, textOf } from '../../server/fixtures/direct-client.ts';
import { compose } from '../../compose.ts';
import { createServer } from '../../create-server.ts';
import { prompt, tool } from '../../server/define/define.ts';
import type { RateLimit } from '../../server/define/feature-options.ts';
import { TokenBuckets } from './rate-limit.ts';
import { toBucket } from './rate-spec.ts';
import { unlimited, Usage } from '../quotas/quota.ts';

/** Buckets with a manual clock. */
function buckets(limit: RateLimit): { take: (key?: string) => number; wait: (ms: number) => void; size: () => number } {
  let now = 5000;
  const made = new TokenBuckets(toBucket(limit), () => now);
  return { take: (key = 'a') => made.take(key).waitMs, wait: (ms) => (now += ms), size: () => made.size };
}

describe('a rate limit', () => {
  it('allows a burst, and then calls at the rate', () => {
    const { take, wait } = buckets({ calls: 2 });
    expect([take(), take(), take()]).toEqual([0, 0, 500]);
    wait(499);
    expect(take()).toBe(1);
    wait(1);
    expect([take(), take()]).toEqual([0, 500]);
  });

  it('counts each caller separately, up to a burst', () => {
    const { take, wait } = buckets({ calls: 60, perMs: 60_000, burst: 2 });
    expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 1000, 0]);
    wait(3_600_000);
    expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 1000]);
  });

  it('may be less than one call per period', () => {
    const { take, wait } = buckets({ calls: 0.5 });
    expect([take(), take()]).toEqual([0, 2000]);
    wait(2000);
    expect(take()).toBe(0);
  });

  it('evicts the least recently used caller beyond a maximum', () => {
    const { take, wait, size } = buckets({ calls: 1 });
    const many = 10_000;
    for (let each = 0; each < many; each++) take(`caller ${each}`);
    wait(1);
    expect(take('caller 0')).toBe(999);
    take('one more');
    expect(size()).toBe(many);
    expect(take('caller 0')).toBe(999);
  });

  it.each([{ calls: 0 }, { calls: -1 }, { calls: Number.NaN }, { calls: 1, perMs: 0 }, { calls: 1, burst: 0.5 }])(
    'is rejected if it is invalid: %j',
    (limit) => {
      expect(() => createServer({ name: 's', version: '1', rateLimit: limit })).toThrow(/rateLimit needs/);
    },
  );
});

const echo = tool('echo', {}, () => 'hello');
const slow = { calls: 1, perMs: 3_600_000 };
const later = { code: -32603, data: { retryAfterMs: expect.any(Number), limit: 'caller' } };

describe('requests above the rate of a server', () => {
  it('are rejected with a retry hint; a ping is served (RX-04)', () => {
    const server = createServer({ name: 's', version: '1', tools: [echo], rateLimit: { ...slow, burst: 3 } });
    const client = connectDirect(server);
    const answers = Array.from({ length: 5 }, () => client.request('tools/call', { name: 'echo' }));
    expect(answers.slice(0, 3).map((answer) => textOf(answer as never))).toEqual(['hello', 'hello', 'hello']);
    for (const rejected of answers.slice(3)) {
      const message = expect.stringMatching(/^Too many requests: try again in \d+ ms$/);
      expect(rejected).toMatchObject({ error: { ...later, message } });
    }
    const old = connectDirect(server, { version: '2025-11-25', usage: new Usage('old', 'caller', unlimited) });
    for (let each = 0; each < 5; each++) expect(old.request('ping')).toMatchObject({ result: {} });
  });

  it('are counted for each caller, completions as well as calls (RX-10)', () => {
    const complete = (value: string): string[] => [`${value}!`];
    const prompts = [prompt('greet', { arguments: { name: { complete } } }, () => 'hi')];
    const server = createServer({ name: 's', version: '1', prompts, rateLimit: { ...slow, burst: 2 } });
    const params = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'x' } };
    const request = (principal: string): unknown =>
      connectDirect(server, { auth: { principal } }).request('completion/complete', params);
    for (const principal of ['ann', 'bob']) {
      expect([request(principal), request(principal), request(principal)]).toMatchObject([
        { result: {} },
        { result: {} },
        { error: later },
      ]);
    }
  });

  it('are counted by a part of a composed server for its own calls', () => {
    const part = createServer({ name: 'p', version: '1', tools: [echo], rateLimit: slow });
    const free = createServer({ name: 'f', version: '1', tools: [tool('free', {}, () => 'free')] });
    const client = connectDirect(compose({ part, free }, { name: 's', version: '1' }));
    expect(client.request('tools/call', { name: 'echo' })).toMatchObject({ result: {} });
    expect(client.request('tools/call', { name: 'echo' })).toMatchObject({ error: later });
    for (let each = 0; each < 3; each++) {
      expect(client.request('tools/call', { name: 'free' })).toMatchObject({ result: {} });
    }
  });
});

describe('calls above the rate of a tool', () => {
  it('are rejected, and those of other tools and other callers are not', () => {
    const dear = tool('dear', { rateLimit: slow }, () => 'served');
    const server = createServer({ name: 's', version: '1', tools: [echo, dear] });
    const request = (principal: string, name: string): unknown =>
      connectDirect(server, { auth: { principal } }).request('tools/call', { name });
    expect(request('ann', 'dear')).toMatchObject({ result: {} });
    expect(request('ann', 'dear')).toMatchObject({
      error: { ...later, message: expect.stringMatching(/calls of "dear"/) },
    });
    expect(request('ann', 'echo')).toMatchObject({ result: {} });
    expect(request('bob', 'dear')).toMatchObject({ result: {} });
  });
});

import { randomBytes } from 'node:crypto';
import { redisStore } from '@ccmcp/redis';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { handshake, statelessClient, textOf } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { sharedUrl, stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { type Instance, startInstance, stopInstances } from './fixtures/instances.ts';

const capabilities = { elicitation: {} };
const answers = { 'input-1': { action: 'accept', content: { name: 'Ann' } } };
const life = { ttlMs: 60_000, kind: 'sessions', limit: 10_000 };

interface Pair {
  now: Instance;
  later: Instance;
  redis: { url: string; prefix: string };
}

/** Two versions of one server side by side, as during a rollout. */
async function bothVersions(): Promise<Pair> {
  const redis = { url: sharedUrl as string, prefix: `ccmcp-test-${randomBytes(6).toString('hex')}` };
  const secrets = ['the same for both'];
  const now = await startInstance({ name: 'now', redis, secrets });
  const later = await startInstance({ name: 'later', redis, secrets, later: true });
  return { now, later, redis };
}

/** Suspends a call on one instance and resumes it on another: returns the text, or the error code. */
async function takenUp(first: Instance, second: Instance): Promise<unknown> {
  const client = statelessClient(first.url, { capabilities });
  const { result } = await client.call('ask');
  const params = { name: 'ask', arguments: {}, inputResponses: answers, requestState: result?.requestState };
  const answer = await client.request('tools/call', params, { url: second.url });
  return textOf(answer) ?? answer.error?.code;
}

describe.skipIf(sharedUrl === undefined)('two versions of a server at one address', () => {
  afterEach(stopInstances);
  afterAll(stopAll);

  it('share sessions, streams and suspended calls (MI-08)', async () => {
    const { now, later } = await bothVersions();
    for (const [one, other] of [
      [now, later],
      [later, now],
    ] as const) {
      const session = await handshake(one.url, { capabilities });
      expect(textOf(await session.call('who', {}, { url: other.url }))).toBe(other.name);
      await session.request('resources/subscribe', { uri: 'test://1' }, { url: other.url });
      const steps = { text: 'x', steps: 3, everyMs: 100 };
      const events = readEvents(await session.sendCall('steps', steps, { id: 'x', meta: { progressToken: 1 } }));
      const prime = await events.next();
      await events.cancel();
      const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' }, { url: other.url });
      expect((await again.rest()).map(({ params, id }) => params?.progress ?? id)).toEqual([1, 2, 3, 'x']);
      const standalone = await session.listen({}, { url: one.url });
      await standalone.next();
      await other.call('change', { first: 1, count: 1 });
      expect(await standalone.message()).toMatchObject({ params: { uri: 'test://1' } });
      expect(await takenUp(one, other)).toBe(`${other.name} Ann`);
    }
  });

  it('have different tools, and each lists and calls its own', async () => {
    const { now, later } = await bothVersions();
    const session = await handshake(now.url);
    const names = async ({ url }: Instance): Promise<string[]> => {
      const { result } = await session.request('tools/list', {}, { url });
      const { tools } = result as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    };
    expect([await names(now), await names(later)].map((each) => each.includes('only-later'))).toEqual([false, true]);
    const called = await session.call('only-later', { text: 'x' }, { url: later.url });
    expect(textOf(called)).toBe('later x');
    expect(await session.call('only-later', { text: 'x' }, { url: now.url })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it('preserve unknown data of the other: session fields, messages, log entries (MI-08)', async () => {
    const { now, redis } = await bothVersions();
    const store = await redisStore(redis);
    onTestFinished(() => store.close());
    const session = await handshake(now.url);
    const key = `session/${session.id}`;
    const standalone = await session.listen();
    await standalone.next();
    await store.update(key, { ofLaterVersion: 'kept' }, life);
    await store.publish(key, JSON.stringify({ kind: 'of a later version', stream: 's' }));
    await store.append(key, JSON.stringify({ stream: 'of a later version', more: 1 }), {
      maxEntries: 9,
      maxLength: 999,
    });
    await session.request('logging/setLevel', { level: 'debug' });
    expect(await store.read(key, life)).toMatchObject({ ofLaterVersion: 'kept', logLevel: 'debug' });
    await now.call('grow');
    expect(await standalone.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(now.complaints()).toBe('');
  });
});

describe.skipIf(sharedUrl === undefined)('a suspended call', () => {
  afterEach(stopInstances);

  it('is resumed on any instance while its key is in rotation, and rejected after that (MI-09)', async () => {
    const redis = { url: sharedUrl as string, prefix: `ccmcp-test-${randomBytes(6).toString('hex')}` };
    const [before, between, after] = await Promise.all([
      startInstance({ name: 'before', redis, secrets: ['old'] }),
      startInstance({ name: 'between', redis, secrets: ['new', 'old'] }),
      startInstance({ name: 'after', redis, secrets: ['new'] }),
    ]);
    expect(await takenUp(before, between)).toBe('between Ann');
    expect(await takenUp(between, after)).toBe('after Ann');
    expect(await takenUp(before, after)).toBe(-32602);
  });
});

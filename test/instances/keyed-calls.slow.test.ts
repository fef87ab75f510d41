import { afterEach, describe, expect, it } from 'vitest';
import { statelessClient, textOf } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { sharedUrl } from '../../packages/redis/src/fixtures/redis.ts';
import { startInstance, stopInstances } from './fixtures/instances.ts';

afterEach(stopInstances);

describe.skipIf(sharedUrl === undefined)('a call with a key whose instance is killed', () => {
  it('is served by another instance once its lease expires, once for all waiting requests', async () => {
    const redis = { url: sharedUrl ?? '', prefix: `keyed-${process.pid}-${Date.now()}` };
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((name) => startInstance({ name, redis })));
    if (one === undefined || two === undefined || three === undefined) throw new Error('three were started');
    const meta = { 'io.github.ccmcp/idempotencyKey': 'payment 1' };
    const ask = async ({ url }: { url: string }): Promise<string | undefined> =>
      textOf(await statelessClient(url).call('wait', { gate: 'pay' }, { meta }));

    const lost = ask(one).catch(() => 'lost');
    await one.call('reached', { gate: 'pay' });
    one.child.kill('SIGKILL');
    expect(await lost).toBe('lost');

    const killedAt = performance.now();
    const retried = ask(two);
    const served = await two.call('reached', { gate: 'pay' });
    // Not served while the killed instance could still be running it.
    expect([served, performance.now() - killedAt > 5000]).toEqual(['two', true]);
    const others = [ask(two), ask(three)];
    await two.call('open', { gate: 'pay' });
    expect(await Promise.all([retried, ...others])).toEqual(['two passed pay', 'two passed pay', 'two passed pay']);
    expect(await ask(three)).toBe('two passed pay');
  }, 120_000);
});

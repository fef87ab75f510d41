import { describe, expect, it } from 'vitest';
import { redisStore, type RedisStoreOptions } from './store.ts';

describe('numeric options of a Redis store', () => {
  const names = ['timeoutMs', 'maxLogLength', 'maxRecordLength', 'maxMemberLength'] as const;
  const nonsense = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '100', null] as number[];
  it.each(names.flatMap((name) => nonsense.map((value) => [name, value] as const)))(
    'are rejected by name if they are invalid: %s is %s',
    async (name, value) => {
      const options: RedisStoreOptions = { url: 'redis://127.0.0.1:1', [name]: value };
      await expect(redisStore(options)).rejects.toThrow(`${name} of redisStore must be a whole number from 1 to`);
    },
  );

  it('are rejected above the longest delay of a timer', async () => {
    await expect(redisStore({ url: 'redis://127.0.0.1:1', timeoutMs: 2 ** 31 })).rejects.toThrow(
      'timeoutMs of redisStore',
    );
  });

  it('are accepted if they are valid', async () => {
    const store = await redisStore({ url: 'redis://127.0.0.1:1', timeoutMs: 100, maxLogLength: 1 });
    expect(store.status?.().ready).toBe(false);
    await store.close();
  });
});

import { afterAll, expect, it } from 'vitest';
import { stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { startGateways, storeKinds } from './fixtures/gateways.ts';

afterAll(stopAll);

// Over a network, an instance counts as lost only after some seconds.
it.each(storeKinds)(
  'two gateways with a store in %s say so if the instance that had the call is gone',
  async (kind) => {
    const [one, other] = await startGateways(kind);
    const first = await one.call('twice');
    await one.part.close();
    await expect(other.call('twice', first)).rejects.toThrow('no longer waiting');
  },
);

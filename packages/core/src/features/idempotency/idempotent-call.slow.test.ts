import { expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { idempotencyMetaKey } from '../../protocol/meta.ts';
import { tool } from '../../server/define/define.ts';
import { connectDirect, textOf } from '../../server/fixtures/direct-client.ts';
import { memoryStore } from '../../stores/memory.ts';

it('a call with an idempotency key keeps the answer of a caller if another one exceeds the limit of keys', async () => {
  const store = memoryStore();
  const callerNamed = (principal: string) => {
    let runs = 0;
    const count = tool('count', { input: { type: 'object' } }, () => `run ${(runs += 1)}`);
    const server = createServer({ name: 's', version: '1', tools: [count] });
    const { request } = connectDirect(server, { store, auth: { principal } });
    return (key: string) =>
      request('tools/call', { name: 'count', arguments: {}, _meta: { [idempotencyMetaKey]: key } });
  };
  const [ann, bob] = [callerNamed('ann'), callerNamed('bob')];
  for (let each = 0; each <= 10_000; each++) await ann(`a${each}`);
  await bob('b');
  expect(textOf(await bob('b'))).toBe('run 1');
});

import { expect } from 'vitest';
import { everywhere } from './cells.ts';

for (const progressToken of ['upload', '', 0, 12]) {
  everywhere(
    `progress is sent with the token ${JSON.stringify(progressToken)}, before the answer (S-PR-01)`,
    async ({ connect }) => {
      const client = await connect();
      const call = { name: 'count', arguments: { steps: [1, 2.5, 10] }, _meta: { progressToken } };
      await client.request('tools/call', call);
      expect(client.notifications('notifications/progress').map(({ params }) => params)).toEqual([
        { progressToken, progress: 1, total: 10, message: 'step 1' },
        { progressToken, progress: 2.5, total: 10, message: 'step 2.5' },
        { progressToken, progress: 10, total: 10, message: 'step 10' },
      ]);
      expect(client.received.at(-1)?.result.content[0].text).toBe('counted');
    },
  );
}

everywhere('progress that does not grow is not sent (S-PR-01)', async ({ connect }) => {
  const client = await connect();
  const call = { name: 'count', arguments: { steps: [3, 3, 1, 4, -5, 4, 5] }, _meta: { progressToken: 1 } };
  await client.request('tools/call', call);
  expect(client.notifications('notifications/progress').map(({ params }) => params?.progress)).toEqual([3, 4, 5]);
});

everywhere('without a token there is no progress (S-PR-01)', async ({ connect }) => {
  const client = await connect();
  for (const _meta of [undefined, {}, { progressToken: null }, { progressToken: { a: 1 } }, { progressToken: true }]) {
    const call = { name: 'count', arguments: { steps: [1, 2] }, ...(_meta !== undefined && { _meta }) };
    await client.request('tools/call', call);
  }
  expect(client.notifications('notifications/progress')).toEqual([]);
});

everywhere('progress after the answer is not sent, nor the log (S-PR-01)', async ({ connect, log }) => {
  const client = await connect();
  await client.request('tools/call', { name: 'late-progress', _meta: { progressToken: 1 } });
  await log.until('late: sent');
  await client.request('tools/call', { name: 'nothing' });
  expect(client.notifications('notifications/progress')).toEqual([]);
  expect(client.notifications('notifications/message')).toEqual([]);
});

everywhere('two requests have their own progress', async ({ connect }) => {
  const client = await connect();
  const call = (progressToken: string, steps: number[]) => ({
    name: 'count',
    arguments: { steps },
    _meta: { progressToken },
  });
  client.post('tools/call', call('a', [1, 2]), 'a');
  client.post('tools/call', call('b', [1, 2]), 'b');
  await Promise.all([client.answerTo('a'), client.answerTo('b')]);
  for (const token of ['a', 'b']) {
    const own = client.notifications('notifications/progress').filter(({ params }) => params?.progressToken === token);
    expect(own.map(({ params }) => params?.progress)).toEqual([1, 2]);
  }
});

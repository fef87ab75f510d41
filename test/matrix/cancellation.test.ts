import { expect } from 'vitest';
import { type Client, everywhere, feature, pipes } from './cells.ts';

everywhere(
  'a cancelled request hears of it and is not answered, even if it returns something (S-K-01, LC-08)',
  async ({ connect, log }) => {
    const client = await connect();
    client.post('tools/call', { name: 'wait' }, 'job');
    await log.until('wait: started');
    client.sendNotification('notifications/cancelled', { requestId: 'job', reason: 'changed my mind' });
    await log.until('wait: AbortError: changed my mind');
    await client.request('tools/call', { name: 'nothing' });
    expect(client.received.filter(({ id }) => id === 'job')).toEqual([]);
  },
  { wires: pipes },
);

everywhere(
  'a cancellation without a reason has one all the same',
  async ({ connect, log }) => {
    const client = await connect();
    client.post('tools/call', { name: 'wait' }, 1000);
    await log.until('wait: started');
    client.sendNotification('notifications/cancelled', { requestId: 1000 });
    await log.until('wait: AbortError: The request was cancelled');
  },
  { wires: pipes },
);

everywhere(
  'a cancellation of what is unknown, finished or malformed changes nothing (S-K-01)',
  async ({ connect, log }) => {
    const client = await connect();
    client.post('tools/call', { name: 'wait' }, 'job');
    await log.until('wait: started');
    await client.sendRequest('tools/call', { name: 'nothing' }, 'finished');
    for (const requestId of ['finished', 'nobody', null, 1.5, {}, ['job'], undefined]) {
      client.sendNotification('notifications/cancelled', { requestId });
    }
    await client.request('tools/call', { name: 'nothing' });
    expect(log.entries).toHaveLength(1);
    expect(client.received.filter(({ id }) => id === 'job')).toEqual([]);
  },
);

everywhere('one client cannot cancel for another', async ({ connect, log }) => {
  const [client, other] = [await connect(), await connect()];
  client.post('tools/call', { name: 'wait' }, 'job');
  await log.until('wait: started');
  other.sendNotification('notifications/cancelled', { requestId: 'job' });
  await other.request('tools/call', { name: 'nothing' });
  expect(log.entries).toHaveLength(1);
});

everywhere('a running request is cancelled when its client goes away', async ({ connect, log }) => {
  const client = await connect();
  client.post('tools/call', { name: 'wait' });
  await log.until('wait: started');
  await client.close();
  await log.until(/^wait: .*Error/);
});

feature('a request that waits for its client', {
  '2024-11-05': [
    'takes back its question when it is cancelled (S-K-02)',
    async ({ open }) => {
      const client = await new Promise<Client>((resolve) => {
        const opened = open({ capabilities: { roots: {} }, answer: () => resolve(opened) });
        void opened.initialize().then(() => opened.post('tools/call', { name: 'where' }, 'job'));
      });
      const question = client.received.find(({ method }) => method === 'roots/list');
      client.sendNotification('notifications/cancelled', { requestId: 'job' });
      const taken = await client.readNotification('notifications/cancelled');
      expect(taken.params).toEqual({ requestId: question?.id });
      await client.request('tools/call', { name: 'nothing' });
      expect(client.received.filter(({ id, method }) => id === 'job' && method === undefined)).toEqual([]);
    },
  ],
  '2026-07-28': [
    'is over when it has asked: a cancellation finds nothing (S-I-09)',
    async ({ connect }) => {
      const client = await connect({ capabilities: { roots: {} } });
      expect((await client.sendRequest('tools/call', { name: 'where' }, 'job')).result.resultType).toBe(
        'input_required',
      );
      client.sendNotification('notifications/cancelled', { requestId: 'job' });
      expect((await client.sendRequest('tools/call', { name: 'nothing' }, 'job')).result.resultType).toBe('complete');
    },
  ],
});

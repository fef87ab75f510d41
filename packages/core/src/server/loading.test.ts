import { expect, it } from 'vitest';
import { createServer } from '../create-server.ts';
import { tool } from './define/define.ts';
import { connectDirect, textOf } from './fixtures/direct-client.ts';

// The validator is loaded once in a process, so this file has one test.

it('a request that is cancelled while the validator loads for it is not served', async () => {
  const ran: string[] = [];
  const input = { type: 'object', properties: { text: { type: 'string', pattern: '^.$' } } } as const;
  const keep = tool('keep', { input }, ({ text = '' }) => {
    ran.push(text);
    return text;
  });
  const client = connectDirect(createServer({ name: 'n', version: '1', tools: [keep] }));
  const call = (text: string, id: number): ReturnType<typeof client.request> =>
    client.request('tools/call', { name: 'keep', arguments: { text } }, id);
  const first = call('a', 1);
  const second = call('b', 2);
  expect([...client.peer.running.keys()]).toEqual([1, 2]);
  client.peer.running.get(1)?.cancel();
  expect(await first).toBeUndefined();
  expect(textOf(await second)).toBe('b');
  expect(ran).toEqual(['b']);
});

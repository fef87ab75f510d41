import { expect, it } from 'vitest';
import { createServer } from './create-server.ts';
import { tool } from './define/define.ts';
import { openDoor, textOf } from './fixtures/door.ts';

// The validator is loaded once in a process, so this file has one test.

it('a request that is cancelled while the validator loads for it is not served', async () => {
  const ran: string[] = [];
  const input = { type: 'object', properties: { text: { type: 'string', pattern: '^.$' } } } as const;
  const keep = tool('keep', { input }, ({ text = '' }) => {
    ran.push(text);
    return text;
  });
  const door = openDoor(createServer({ name: 'n', version: '1', tools: [keep] }));
  const call = (text: string, id: number): ReturnType<typeof door.ask> =>
    door.ask('tools/call', { name: 'keep', arguments: { text } }, id);
  const first = call('a', 1);
  const second = call('b', 2);
  expect([...door.exchange.running.keys()]).toEqual([1, 2]);
  door.exchange.running.get(1)?.cancel();
  expect(await first).toBeUndefined();
  expect(textOf(await second)).toBe('b');
  expect(ran).toEqual(['b']);
});

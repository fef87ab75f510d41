import { expect, it } from 'vitest';
import { createServer, tool } from '../index.ts';
import { call } from '../transports/stdio/fixtures/messages.ts';
import { open } from '../transports/stdio/fixtures/open.ts';

// The validator is loaded once in a process, so this file has one test.

it('requests that come while the validator loads do not overtake the one that it is loaded for', async () => {
  const ran: string[] = [];
  const server = createServer({
    name: 'test',
    version: '1.0.0',
    tools: [
      tool('store', { input: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => {
        ran.push(`store ${text}`);
        return 'stored';
      }),
      tool('count', {}, () => {
        ran.push('count');
        return String(ran.length);
      }),
    ],
    logger: { level: 'emergency', write: () => {} },
  });
  const { send, answer, received } = open(server);
  send(call(1, 'store', { text: 'a' }), call(2, 'count'), call(3, 'store', { text: 'b' }), call(4, 'count'));
  await answer(4);
  expect(ran).toEqual(['store a', 'count', 'store b', 'count']);
  expect(received.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

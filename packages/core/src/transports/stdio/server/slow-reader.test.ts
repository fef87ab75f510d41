import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createServer, tool } from '../../../index.ts';
import { serveStdio } from '../../../stdio.ts';
import { createInbox } from '../fixtures/inbox.ts';
import { initialize, textOf } from '../fixtures/messages.ts';

const many = 30_000;

const server = createServer({
  name: 'test',
  version: '1.0.0',
  tools: [
    tool('progress', {}, (_, { progress }) => {
      for (let step = 1; step <= many; step++) progress(step, many, 'a step of a long work');
      return 'done';
    }),
    tool('log-of-a-call', {}, (_, { log }) => {
      for (let step = 1; step <= many; step++) log('error', `step ${step} of a long work`);
      return 'done';
    }),
    tool('log-of-the-server', {}, () => {
      for (let step = 1; step <= many; step++) server.log('error', `step ${step} of a long work`);
      return 'done';
    }),
  ],
  logger: { level: 'emergency', write: () => {} },
});

it.each([
  ['progress', 'notifications/progress'],
  ['log-of-a-call', 'notifications/message'],
  ['log-of-the-server', 'notifications/message'],
])('a slow reader gets the beginning of a long %s, but no backlog of it', async (name, method) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const { closed } = serveStdio(server, { input, output, grace: 0 });
  const params = { name, arguments: {}, _meta: { progressToken: 1 } };
  const messages = [...initialize(), { jsonrpc: '2.0', id: 1, method: 'tools/call', params }];
  input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  // The call ends within the tick in which it arrives, before anything is read.
  await new Promise((resolve) => setImmediate(resolve));

  const { answer, received } = createInbox(output);
  expect(textOf(await answer(1))).toBe('done');
  const notified = received.filter((message) => message.method === method);
  expect(notified.length).toBeGreaterThan(100);
  expect(notified.length).toBeLessThan(many / 2);
  input.end();
  await closed;
});

import { expect, it } from 'vitest';
import { loadValidator } from '../../../schema/validator.ts';
import { testServer } from './fixtures/server.ts';
import { httpHandler } from './handler.ts';

// The validator is loaded once in a process, so this file has one test.

it('reads the body of a request once the validator is loaded', async () => {
  const handler = httpHandler(testServer().server);
  const events: string[] = [];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        events.push('read');
        controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'MCP-Protocol-Version': '2025-06-18',
  };
  const loading = loadValidator().then(() => events.push('loaded'));
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, body, duplex: 'half' });
  const answer = await handler.fetch(request);
  expect(await answer.json()).toMatchObject({ id: 1, result: {} });
  await loading;
  expect(events).toEqual(['loaded', 'read']);
  await handler.close();
});

import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../packages/core/src/create-server.ts';
import { resource, tool } from '../../packages/core/src/server/define/define.ts';
import { connectDirect, textOf } from '../../packages/core/src/server/fixtures/direct-client.ts';
import { statelessClient } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { start } from '../../packages/core/src/transports/http/server/fixtures/start.ts';
import { serveStdio } from '../../packages/core/src/transports/stdio/server/serve.ts';

const echo = tool('echo', { input: { type: 'object' } }, () => 'here');

describe('a server under load', () => {
  it('accepts a burst of 200 000 notifications in bounded memory, and serves later requests (RX-05)', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = createServer({ name: 's', version: '1', tools: [echo] });
    const connection = serveStdio(server, { input, output, exit: false });
    onTestFinished(() => connection.close());
    const notification = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'none' } })}\n`;
    const before = process.memoryUsage.rss();
    let most = 0;
    for (let burst = 0; burst < 200; burst++) {
      if (!input.write(notification.repeat(1000))) await new Promise((resolve) => input.once('drain', resolve));
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [answer] = (
      await new Promise<string>((resolve) => output.once('data', (data) => resolve(String(data))))
    ).split('\n');
    expect(JSON.parse(answer as string)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    expect(most).toBeLessThan(96 * 1024 * 1024);
  });

  it('lists 100 000 tools in pages, in order, and calls the last (RX-07)', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `tool-${index}`);
    const { url } = await start({}, { tools: names.map((name) => tool(name, { description: name }, () => name)) });
    const client = statelessClient(url);
    const listed: string[] = [];
    let cursor: unknown;
    do {
      const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
      const tools = result?.tools as { name: string }[];
      expect(tools.length).toBeLessThanOrEqual(10_000);
      listed.push(...tools.map(({ name }) => name));
      cursor = result?.nextCursor;
    } while (cursor !== undefined);
    expect(listed).toEqual(names);
    expect(await client.call('tool-99999')).toMatchObject({ result: { content: [{ text: 'tool-99999' }] } });
  });

  it('notifies each of 10 000 subscribers of a resource once, and serves others (RX-08)', async () => {
    const uri = 'test://watched';
    const server = createServer({ name: 's', version: '1', tools: [echo], resources: [resource(uri, {}, () => 'x')] });
    const watching = Array.from({ length: 10_000 }, () => connectDirect(server, { version: '2025-11-25' }));
    for (const client of watching) await client.request('resources/subscribe', { uri });
    const other = connectDirect(server);
    server.resources.updated(uri);
    expect(textOf(await other.request('tools/call', { name: 'echo', arguments: {} }))).toBe('here');
    await expect
      .poll(() => watching.filter(({ received }) => received.length > 0).length, { timeout: 30_000 })
      .toBe(watching.length);
    const notified = watching.flatMap(({ received }) =>
      received.map((message) => ('method' in message ? message.method : '')),
    );
    expect(notified).toEqual(Array(10_000).fill('notifications/resources/updated'));
  });
});

import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appsClient, appView, apps } from '../../../apps.ts';
import { connect, httpTransport } from '../../../client.ts';
import { serveHttp } from '../../../http.ts';
import { createServer, type Server, tool } from '../../../index.ts';
import { serveStdio } from '../../../stdio.ts';

const html = '<!doctype html><title>Moon</title>';

function moonServer(): Server {
  const ui = appView('ui://moon/view.html', { html, listed: false });
  const tools = [tool('moon', { ui }, () => 'full'), tool('pixels', { visibility: ['app'] }, () => 'many')];
  return createServer({ name: 'moon', version: '1', extensions: [apps()], tools });
}

describe.each(['handshake', 'stateless'] as const)('views over HTTP, in the %s era', (era) => {
  it('can be read by any client; tools for views are listed to hosts only (AP-02, AP-12)', async () => {
    const { url, close } = await serveHttp(moonServer(), { port: 0 });
    onTestFinished(() => close());
    for (const [extensions, names] of [
      [[appsClient], ['moon', 'pixels']],
      [[], ['moon']],
    ] as const) {
      const client = await connect(httpTransport(url), { era, extensions: [...extensions] });
      onTestFinished(() => client.close());
      expect((await client.listTools().all()).map(({ name }) => name)).toEqual(names);
      expect((await client.readResource('ui://moon/view.html')).contents).toMatchObject([{ text: html }]);
      expect(await client.listResources().all()).toEqual([]);
    }
  });
});

it('can be read on stdio, where the session says what the host shows (AP-01)', async () => {
  const answers: { id: number; result: { tools?: { name: string }[]; contents?: object[] } }[] = [];
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { closed } = serveStdio(moonServer(), { input, output });
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const clientInfo = { name: 'host', version: '1' };
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: { extensions }, clientInfo },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'resources/read', params: { uri: 'ui://moon/view.html' } },
  ];
  output.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) answers.push(JSON.parse(line) as (typeof answers)[number]);
  });
  for (const message of messages) input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await expect.poll(() => answers.length).toBe(3);
  expect(answers[1]?.result.tools?.map(({ name }) => name)).toEqual(['moon', 'pixels']);
  expect(answers[2]?.result.contents).toMatchObject([{ text: html }]);
  input.end();
  await closed;
});

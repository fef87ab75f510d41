import { Client, type ClientOptions, ResourceNotFoundError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';

type Mode = NonNullable<ClientOptions['versionNegotiation']>['mode'];

const ways: { name: string; mode: Mode; era: string; version: string }[] = [
  { name: 'by handshake', mode: undefined, era: 'legacy', version: '2025-11-25' },
  { name: 'by probing', mode: 'auto', era: 'modern', version: '2026-07-28' },
  { name: 'pinned', mode: { pin: '2026-07-28' }, era: 'modern', version: '2026-07-28' },
];

interface Connected {
  client: Client;
  /** Received log messages, list changes and updates, in order. */
  received: unknown[];
}

async function connect(mode: Mode): Promise<Connected> {
  const transport = new StdioClientTransport({ command: launcher, args: ['--root', emptyFolder()], stderr: 'ignore' });
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const client = new Client({ name: 'interop', version: '1.0.0' }, options);
  const received: unknown[] = [];
  const complaints: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => void complaints.push(error);
  client.setNotificationHandler('notifications/message', ({ params }) => void received.push(params.data));
  client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => void received.push(method));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void received.push(params.uri));
  onTestFinished(async () => {
    await client.close();
    expect(complaints).toEqual([]);
  });
  await client.connect(transport);
  return { client, received };
}

describe.each(ways)('the official client 2 with ./ccmcp, $name', ({ mode, era, version }) => {
  it('negotiates a version, and uses everything the server offers', async () => {
    const { client } = await connect(mode);
    expect(client.getProtocolEra()).toBe(era);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toEqual({ name: 'ccmcp', version: '0.1.0' });

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('register_tool');
    const hello = await client.callTool({ name: 'hello', arguments: { name: 'MCP' } });
    expect(hello).toMatchObject({ content: [{ type: 'text', text: 'Hello, MCP!' }], isError: false });
    expect(await client.callTool({ name: 'add', arguments: { a: 'x' } })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nobody' })).rejects.toMatchObject({ code: -32602 });

    for (const { uri, mimeType } of (await client.listResources()).resources) {
      expect((await client.readResource({ uri })).contents).toMatchObject([
        { uri, mimeType, text: expect.any(String) },
      ]);
    }
    await expect(client.readResource({ uri: 'nothing://here' })).rejects.toBeInstanceOf(ResourceNotFoundError);

    expect((await client.listPrompts()).prompts).toHaveLength(3);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: 'Please greet Ann warmly' } }]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'code_review' },
      argument: { name: 'language', value: 'Ru' },
    });
    expect(completion.values).toEqual(['Ruby', 'Rust']);
  });

  it('receives changes and the log', async () => {
    const { client, received } = await connect(mode);
    const logLevel = era === 'modern' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } } : {};
    if (era === 'modern') {
      const wanted = { toolsListChanged: true, resourceSubscriptions: ['config://server'] };
      const subscription = await client.listen(wanted);
      expect(subscription.honoredFilter).toEqual(wanted);
    } else {
      await client.setLoggingLevel('debug');
      await client.subscribeResource({ uri: 'config://server' });
      expect(received.splice(0)).toEqual(['Server initialized']);
    }
    const args = { name: 'x', description: '', template: 'X' };
    await client.callTool({ name: 'register_tool', arguments: args, ...logLevel });
    expect(await client.callTool({ name: 'x', ...logLevel })).toMatchObject({ content: [{ text: 'X' }] });
    expect(received).toEqual([
      'Calling tool: register_tool',
      'notifications/tools/list_changed',
      'config://server',
      'Calling tool: x',
    ]);
  });

  it('may cancel a request and continue', async () => {
    const { client } = await connect(mode);
    const controller = new AbortController();
    const given = client.callTool({ name: 'hello', arguments: { name: 'x' } }, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(given).rejects.toThrow('changed my mind');
    expect(await client.callTool({ name: 'echo', arguments: { message: 'on' } })).toMatchObject({
      content: [{ text: 'on' }],
    });
  });
});

describe('a subscription of the official client 2', () => {
  it('ends when the client closes it, and the server continues', async () => {
    const { client, received } = await connect({ pin: '2026-07-28' });
    const subscription = await client.listen({ toolsListChanged: true });
    await subscription.close();
    expect(await subscription.closed).toBe('local');
    await client.callTool({ name: 'register_tool', arguments: { name: 'x', description: '', template: 'X' } });
    expect(await client.callTool({ name: 'x' })).toMatchObject({ content: [{ text: 'X' }] });
    expect(received).toEqual([]);
  });
});

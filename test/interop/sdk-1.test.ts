import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';

/** Has a tool that ends only when it is cancelled, and one that counts cancellations. */
const waitingServer = fileURLToPath(new URL('fixtures/waiting-server.js', import.meta.url));

interface ConnectOptions {
  prepare?: (client: Client) => void;
  args?: string[];
}

async function connect(options: ConnectOptions = {}): Promise<{ client: Client; pid: number }> {
  const { prepare, args = ['--root', emptyFolder()] } = options;
  const transport = new StdioClientTransport({ command: launcher, args, stderr: 'ignore' });
  const client = new Client({ name: 'interop', version: '1.0.0' });
  const complaints: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => void complaints.push(error);
  prepare?.(client);
  onTestFinished(async () => {
    await client.close();
    expect(complaints).toEqual([]);
  });
  await client.connect(transport);
  return { client, pid: transport.pid as number };
}

describe('the official client 1 with ./ccmcp', () => {
  it('gets the name and version of the server', async () => {
    const { client } = await connect();
    expect(client.getServerVersion()).toEqual({ name: 'ccmcp', version: '0.1.0' });
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
      logging: {},
    });
    expect(await client.ping()).toEqual({});
  });

  it('lists and calls tools', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('write_file');
    const hello = await client.callTool({ name: 'hello', arguments: { name: 'MCP' } });
    expect(hello).toMatchObject({ content: [{ type: 'text', text: 'Hello, MCP!' }], isError: false });
    expect(await client.callTool({ name: 'hello', arguments: {} })).toMatchObject({ isError: true });
    await client.callTool({ name: 'write_file', arguments: { path: 'a', content: 'x' } });
    expect(await client.callTool({ name: 'list_directory', arguments: { path: '.' } })).toMatchObject({
      content: [{ text: 'F a' }],
    });
    await expect(client.callTool({ name: 'nobody' })).rejects.toMatchObject({ code: -32602 });
  });

  it('reads resources', async () => {
    const { client } = await connect();
    const { resources } = await client.listResources();
    for (const { uri, mimeType } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType, text: expect.any(String) }]);
    }
    expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] });
    await expect(client.readResource({ uri: 'nothing://here' })).rejects.toMatchObject({ code: -32002 });
  });

  it('gets prompts and completions', async () => {
    const { client } = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['greet', 'summarize', 'code_review']);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: 'Please greet Ann warmly' } }]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'code_review' },
      argument: { name: 'language', value: 'Ty' },
    });
    expect(completion.values).toEqual(['TypeScript']);
  });

  it('receives the log at the level that it sets, and changes', async () => {
    const received: unknown[] = [];
    const { client } = await connect({
      prepare(fresh) {
        fresh.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void received.push(params.data));
        fresh.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void received.push(method));
        fresh.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void received.push(params.uri));
      },
    });
    await client.setLoggingLevel('debug');
    await client.subscribeResource({ uri: 'config://server' });
    await client.callTool({ name: 'register_tool', arguments: { name: 'x', description: '', template: 'X' } });
    expect(await client.callTool({ name: 'x' })).toMatchObject({ content: [{ text: 'X' }] });
    expect(received).toEqual([
      'Server initialized',
      'Calling tool: register_tool',
      'notifications/tools/list_changed',
      'config://server',
      'Calling tool: x',
    ]);
  });

  it('may cancel a request and continue', async () => {
    const { client } = await connect({ args: ['serve', waitingServer] });
    const controller = new AbortController();
    const { signal } = controller;
    let given: Promise<unknown> | undefined;
    await new Promise((begun) => {
      given = client.callTool({ name: 'wait' }, undefined, { signal, onprogress: begun });
    });
    controller.abort(new Error('changed my mind'));
    await expect(given).rejects.toThrow('changed my mind');
    expect(await client.callTool({ name: 'count' })).toMatchObject({ content: [{ text: '1 cancelled' }] });
  });

  it('leaves no process behind', async () => {
    const { client, pid } = await connect();
    expect(process.kill(pid, 0)).toBe(true);
    await client.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

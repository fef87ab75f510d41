import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';

const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL('fixtures/many-tools-server.js', import.meta.url))],
};

/** The interface of both official clients that the tests use. */
interface Searcher {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  /** How many times the list of tools changed. */
  changes(): number;
}

async function client1(): Promise<Searcher> {
  const client = new Client1({ name: 'interop', version: '1.0.0' });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport1({ ...server, stderr: 'ignore' }));
  return {
    listTools: () => client.listTools(),
    callTool: (params) => client.callTool(params),
    changes: () => changes,
  };
}

async function client2(pin?: string): Promise<Searcher> {
  const client = new Client(
    { name: 'interop', version: '1.0.0' },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  );
  let changes = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++);
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
  return {
    listTools: () => client.listTools(),
    callTool: (params) => client.callTool(params),
    changes: () => changes,
  };
}

const names = async (client: Searcher): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).toSorted();

const search = { name: 'search_tools', arguments: { query: 'restore song18', limit: 1 } };
const few = ['call_tool', 'list_photo2', 'search_tools'];
const direct = { name: 'restore_song18', arguments: { id: '7' } };
const done = { content: [{ type: 'text', text: 'restore song18 7' }], isError: false };

describe.each([
  { name: 'the official client 1', connect: client1 },
  { name: 'the official client 2', connect: () => client2() },
])('$name at a server with 500 tools and tool search', ({ connect }) => {
  it('lists few tools, and calls what a search adds to its list', async () => {
    const client = await connect();
    expect(await names(client)).toEqual(few);
    expect(await client.callTool(search)).toMatchObject({
      content: [{ text: expect.stringContaining('restore_song18') }],
    });
    await expect.poll(() => client.changes()).toBe(1);
    expect(await names(client)).toEqual([...few, direct.name].toSorted());
    expect(await client.callTool(direct)).toMatchObject(done);
  });
});

it('the official client 2 in 2026-07-28 keeps a short list, and calls what a search finds with call_tool', async () => {
  const client = await client2('2026-07-28');
  expect(await names(client)).toEqual(few);
  expect(await client.callTool(search)).toMatchObject({
    content: [{ text: expect.stringContaining('restore_song18') }],
  });
  expect(await client.callTool({ name: 'call_tool', arguments: direct })).toMatchObject(done);
  const wrong = { name: 'call_tool', arguments: { ...direct, arguments: {} } };
  expect(await client.callTool(wrong)).toMatchObject({ isError: true });
  expect(await names(client)).toEqual(few);
});

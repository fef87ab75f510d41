import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, handshakeVersions, runProcess, start, statelessVersion } from '../support/ccmcp.ts';
import { startInProcess } from '../support/in-process.ts';
import { expectError, type JsonRpcMessage } from '../support/mcp-client.ts';

const sessions = [...handshakeVersions, statelessVersion].flatMap((version) => [
  { version, framing: 'newline' as const },
  { version, framing: 'content-length' as const },
]);

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
};

/** The revision that runs in its own process; the others differ in messages only. */
const inProcessOfItsOwn = '2025-11-25';

describe('a session with ./ccmcp from its first message to its end', () => {
  it.each(sessions)('in $version over $framing', async ({ version, framing }) => {
    const begin = version === inProcessOfItsOwn ? start : startInProcess;
    const { client, wire } = begin({ version, framing });
    const isHandshake = version !== statelessVersion;

    // 1, 2: the handshake, if the revision has one.
    const { result: introduced } = await client.initialize();
    expect(introduced.capabilities).toMatchObject(capabilities);
    if (isHandshake) {
      expect(introduced).toMatchObject({ protocolVersion: version, serverInfo: { name: 'ccmcp', version: '0.1.0' } });
    } else {
      expect(introduced).toMatchObject({
        supportedVersions: [version],
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'ccmcp', version: '0.1.0' } },
      });
    }

    // 3
    const { tools } = await client.request('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['hello', 'add', 'echo']));
    expect(tools[0]).toMatchObject({
      name: 'hello',
      description: expect.stringMatching(/\w/),
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });

    // 4, 5
    const hello = await client.request('tools/call', { name: 'hello', arguments: { name: 'MCP' } });
    expect(hello).toMatchObject({ content: [{ type: 'text', text: 'Hello, MCP!' }], isError: false });
    const sum = await client.request('tools/call', { name: 'add', arguments: { a: 10, b: 32 } });
    expect(sum).toMatchObject({ content: [{ type: 'text', text: '42' }], isError: false });

    // 6
    const unknown = await client.sendRequest('tools/call', { name: 'nobody', arguments: {} });
    expect(expectError(unknown, -32602).message).toBe('Unknown tool: nobody');

    // 7, 8
    const { resources } = await client.request('resources/list');
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'config://server',
      'stats://usage',
      'help://commands',
    ]);
    const { contents } = await client.request('resources/read', { uri: 'config://server' });
    expect(contents).toMatchObject([{ uri: 'config://server', mimeType: 'application/json' }]);
    expect(JSON.parse(contents[0].text)).toEqual({ name: 'ccmcp', version: '0.1.0', toolCount: tools.length });

    // 9, 10
    const { prompts } = await client.request('prompts/list');
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['greet', 'summarize', 'code_review']);
    const { messages } = await client.request('prompts/get', { name: 'greet', arguments: { name: 'Alice' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Please greet Alice warmly' } }]);

    // 11
    wire.sendText('not valid json');
    expectError(await client.answerTo(null), -32700);

    // 12
    await wire.close();
    if ('exited' in wire) expect(await wire.exited).toEqual({ code: 0, signal: null });
  });
});

const handshake = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];

/** All lines that `./ccmcp` prints for lines that are piped in at once. */
async function pipe(...lines: string[]): Promise<JsonRpcMessage[]> {
  const { code, stdout } = await runProcess([], { input: [...handshake, ...lines, ''].join('\n') });
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('./ccmcp answers what the quiz prints', () => {
  it('lists and calls "hello", lists and fills in "code_review", as shown', async () => {
    const lines = await pipe(
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"hello","arguments":{"name":"World"}}}',
      '{"jsonrpc":"2.0","id":6,"method":"prompts/list"}',
      '{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"code_review","arguments":{"code":"fn main() {}"}}}',
    );
    expect(lines.find(({ id }) => id === 2)?.result.tools[0]).toMatchObject({
      name: 'hello',
      description: 'Say hello to someone',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name to greet' } },
        required: ['name'],
      },
    });
    expect(lines.find(({ id }) => id === 3)).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: { content: [{ type: 'text', text: 'Hello, World!' }], isError: false },
    });
    expect(lines.find(({ id }) => id === 6)?.result.prompts).toContainEqual({
      name: 'code_review',
      description: 'Review code quality',
      arguments: [
        { name: 'code', description: 'Code to review', required: true },
        expect.objectContaining({ name: 'language', required: false }),
      ],
    });
    expect(lines.find(({ id }) => id === 7)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        description: 'Code review prompt',
        messages: [{ role: 'user', content: { type: 'text', text: 'Please review this code:\nfn main() {}' } }],
      },
    });
  });

  it('sends tools/list_changed after each registration and each removal, also where both are piped', async () => {
    const lines = await pipe(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"register_tool","arguments":{"name":"greet_formal","description":"Formal greeting","template":"Dear {name}, it is a pleasure to meet you."}}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"greet_formal","arguments":{"name":"Professor Smith"}}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"unregister_tool","arguments":{"name":"greet_formal"}}}',
    );
    expect(lines.find(({ id }) => id === 3)?.result.content).toEqual([
      { type: 'text', text: 'Dear Professor Smith, it is a pleasure to meet you.' },
    ]);
    expect(lines.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(2);
  });

  it('reads a file in the temporary folder by its absolute path, and lists and reads resources', async () => {
    const file = join(emptyFolder(), 'mcp_test.txt');
    writeFileSync(file, 'test content\n');
    const lines = await pipe(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'read_file', arguments: { path: file } },
      }),
      '{"jsonrpc":"2.0","id":3,"method":"resources/list"}',
      '{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"config://server"}}',
    );
    expect(lines.find(({ id }) => id === 2)?.result).toEqual({
      content: [{ type: 'text', text: 'test content\n' }],
      isError: false,
    });
    const { resources } = lines.find(({ id }) => id === 3)?.result ?? {};
    expect(resources).toHaveLength(3);
    for (const row of resources) expect(Object.keys(row)).toEqual(['uri', 'name', 'description', 'mimeType']);
    const { contents } = lines.find(({ id }) => id === 4)?.result ?? {};
    expect(contents).toEqual([{ uri: 'config://server', mimeType: 'application/json', text: expect.any(String) }]);
  });
});

import { describe, expect, it } from 'vitest';
import { handshakeVersions, start, statelessVersion } from '../support/ccmcp.ts';
import { expectError } from '../support/mcp-client.ts';

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

describe('a session with ./ccmcp from its first message to its end', () => {
  it.each(sessions)('in $version over $framing', async ({ version, framing }) => {
    const { client, wire } = start({ version, framing });
    const isHandshake = version !== statelessVersion;

    // 1, 2: the client introduces itself, where its revision has a handshake, and says that it is ready.
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
    expect(await wire.exited).toEqual({ code: 0, signal: null });
  });
});

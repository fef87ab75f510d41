import { createServer, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callTool } from '../../../../test/support/ccmcp.ts';
import { expectError, McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire, streamWire } from '../../../../test/support/wires.ts';
import { engineOf } from '../../../core/src/server/server-handle.ts';
import { connect } from './fixtures/connect.ts';
import { miniagentServer } from './server.ts';

describe('the miniagent server', () => {
  it('has a name and a version', () => {
    expect(miniagentServer().info).toMatchObject({ name: 'miniagent-server', version: '0.1' });
  });

  it.each(['2024-11-05', '2025-11-25', '2026-07-28'])('declares tools and nothing else in %s', async (version) => {
    const wire = memoryWire(miniagentServer({ logLevel: 'emergency' }));
    const { result } = await new McpClient(wire, { version }).initialize();
    expect(result.capabilities).toEqual({ tools: {} });
  });

  it.each([['1.0.0'], ['2099-01-01'], [7], [null], [undefined]])(
    'answers version %j with the newest handshake revision',
    async (protocolVersion) => {
      const client = new McpClient(memoryWire(miniagentServer({ logLevel: 'emergency' })), { version: '2025-11-25' });
      const { result } = await client.sendRequest('initialize', { protocolVersion });
      expect(result.protocolVersion).toBe('2025-11-25');
    },
  );

  it('answers a known version with the same version', async () => {
    const client = new McpClient(memoryWire(miniagentServer({ logLevel: 'emergency' })), { version: '2024-11-05' });
    expect((await client.initialize()).result.protocolVersion).toBe('2024-11-05');
  });

  it('warns once of requests before notifications/initialized, and logs the end of input', async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    onTestFinished(() => void vi.restoreAllMocks());
    const wire = streamWire(miniagentServer(), 'content-length');
    const client = new McpClient(wire, { version: '2024-11-05' });
    await client.sendRequest('initialize', { protocolVersion: '2024-11-05' });
    await client.request('tools/list');
    await client.request('ping');
    client.sendNotification('notifications/initialized');
    await client.request('tools/list');
    await wire.close();
    const quiet = streamWire(miniagentServer(), 'newline');
    await new McpClient(quiet, { version: '2024-11-05' }).initialize();
    await quiet.close();
    const end = { level: 'info', logger: 'miniagent-server', data: 'EOF on stdin, shutting down' };
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warning', data: '"tools/list" came before "notifications/initialized"' },
      end,
      end,
    ]);
  });

  it.each([
    ['an invalid request', '{"id":7,"method":"tools/list"}'],
    ['what is no JSON', 'nonsense'],
  ])('warns of %s before notifications/initialized ("If anything else comes first")', async (_, line) => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    onTestFinished(() => void vi.restoreAllMocks());
    const wire = streamWire(miniagentServer(), 'newline');
    const client = new McpClient(wire, { version: '2024-11-05' });
    await client.sendRequest('initialize', { protocolVersion: '2024-11-05' });
    wire.sendText(line);
    await client.request('ping');
    await wire.close();
    expect(written.map((text) => JSON.parse(text).data)).toEqual([
      'An invalid message came before "notifications/initialized"',
      'EOF on stdin, shutting down',
    ]);
  });

  it('lists four read-only tools with schemas', async () => {
    const { tools } = await (await connect()).request('tools/list');
    expect(
      tools.map(({ name, inputSchema }: { name: string; inputSchema: { required: string[] } }) => [
        name,
        inputSchema.required,
      ]),
    ).toEqual([
      ['conjugate', ['verb', 'tense', 'person']],
      ['lookup_irregular_verb', ['verb']],
      ['lookup_spanish', ['form']],
      ['identify_form', ['word']],
    ]);
    for (const each of tools) {
      expect(each).toMatchObject({
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      });
    }
  });

  it('has valid tool schemas', () => {
    const { name, version, ...options } = engineOf(miniagentServer()).options;
    const broken = tool(
      'broken',
      { input: { type: 'object', properties: { verb: { type: 'strnig' } } } as never },
      () => '',
    );
    expect(() => createServer({ name, version, ...options, tools: [...(options.tools ?? []), broken] })).toThrow(
      /Tool "broken": .*input.*strnig/s,
    );
  });

  it.each(['newline', 'content-length'] as const)('works with %s framing and non-ASCII text', async (framing) => {
    const wire = streamWire(miniagentServer({ logLevel: 'emergency' }), framing);
    onTestFinished(() => wire.close());
    const client = new McpClient(wire, { version: '2024-11-05' });
    const { result } = await client.initialize();
    expect(result.serverInfo).toMatchObject({ name: 'miniagent-server', version: '0.1' });
    expect(await callTool(client, 'conjugate', { verb: 'eat', tense: 'past_simple', person: '3sg' })).toBe('ate');
    expect(await callTool(client, 'lookup_spanish', { form: 'she ate' })).toBe(
      'comió (3sg) – comer, pretérito (eat, past_simple)\ncomía (3sg) – comer, imperfecto (eat, past_simple)',
    );
    expect(await callTool(client, 'lookup_irregular_verb', { verb: 'ate' })).toContain('"participle":"eaten"');
    expect(await callTool(client, 'identify_form', { word: 'ate' })).toContain('past_simple');
    expect(await callTool(client, 'conjugate', { verb: 'eet', tense: 'past_simple', person: '3sg' })).toContain(
      'failed:',
    );
  });
});

describe('a failing call', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['conjugate', { verb: 'eat' }, /tense: is required/],
    ['conjugate', { verb: 'eat', tense: 'future_past', person: '3sg' }, /tense: must be one of "present_simple"/],
    ['conjugate', { verb: 'eat', tense: 'past_simple', person: '4sg' }, /person: must be one of "1sg"/],
    ['conjugate', { verb: 7, tense: 'past_simple', person: '3sg' }, /verb: /],
    ['conjugate', { verb: '', tense: 'past_simple', person: '3sg' }, /verb: /],
    ['lookup_spanish', { form: 'x'.repeat(81) }, /form: /],
    ['lookup_irregular_verb', {}, /verb: is required/],
    ['identify_form', { word: 'ate', extra: 1 }, /extra/],
  ])('%s with %j is a protocol error that names the problem', async (name, args, message) => {
    const answer = await (await connect()).sendRequest('tools/call', { name, arguments: args });
    expect(expectError(answer, -32_602).message).toMatch(message);
  });

  it('is a protocol error with the quoted name for an unknown tool', async () => {
    const answer = await (await connect()).sendRequest('tools/call', { name: 'no_such', arguments: {} });
    expect(expectError(answer, -32_602).message).toBe("Unknown tool: 'no_such'");
  });

  it('is an error result for an unknown word', async () => {
    const { result } = await (await connect()).sendRequest('tools/call', {
      name: 'identify_form',
      arguments: { word: 'xyzzy' },
    });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('xyzzy') }],
    });
  });

  it('is an internal error without details for a bug', async () => {
    const server = miniagentServer({ logLevel: 'emergency' });
    server.tools.add(
      tool('buggy', {}, () => {
        throw new Error('secret');
      }),
    );
    const client = new McpClient(memoryWire(server), { version: '2025-11-25' });
    await client.initialize();
    const answer = await client.sendRequest('tools/call', { name: 'buggy' });
    expect(expectError(answer, -32_603).message).toBe('Tool "buggy" failed unexpectedly');
  });
});

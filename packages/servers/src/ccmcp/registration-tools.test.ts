import { describe, expect, it } from 'vitest';
import { callTool, emptyFolder, toolNames } from '../../../../test/support/ccmcp.ts';
import { McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { builtIns } from './fixtures/built-ins.ts';
import { connect } from './fixtures/connect.ts';
import { ccmcpServer } from './server.ts';

function register(client: McpClient, name: string, template: string): Promise<string> {
  return callTool(client, 'register_tool', { name, description: `About ${name}`, template });
}

describe('register_tool', () => {
  it('creates a tool whose placeholders are its required arguments, each once and in order', async () => {
    const client = await connect();
    expect(await register(client, 'answer', 'The {what} to {question} is {what}')).toBe('Registered tool: answer');
    const { tools } = await client.request('tools/list');
    expect(tools.at(-1)).toMatchObject({
      name: 'answer',
      description: 'About answer',
      inputSchema: {
        type: 'object',
        properties: { what: { type: 'string' }, question: { type: 'string' } },
        required: ['what', 'question'],
        additionalProperties: false,
      },
    });
    expect(await callTool(client, 'answer', { what: 'key', question: 'it' })).toBe('The key to it is key');
  });

  it('creates a tool without arguments from a text without placeholders', async () => {
    const client = await connect();
    await register(client, 'motto', 'Less {{is}} more');
    expect(await callTool(client, 'motto')).toBe('Less {is} more');
    expect(await callTool(client, 'motto', { more: 'x' })).toMatch(/^failed: .*more/);
  });

  it('replaces a tool that was registered before', async () => {
    const client = await connect();
    await register(client, 'say', 'old {a}');
    expect(await register(client, 'say', 'new {b}')).toBe('Replaced tool: say');
    expect((await toolNames(client)).filter((name) => name === 'say')).toHaveLength(1);
    expect(await callTool(client, 'say', { b: 'x' })).toBe('new x');
    expect(await callTool(client, 'say', { a: 'x' })).toMatch(/^failed: /);
  });

  it('keeps the existing tool if the new template is invalid', async () => {
    const client = await connect();
    await register(client, 'say', 'old {a}');
    expect(await register(client, 'say', 'new {a')).toMatch(/^failed: Template: .*never closed/);
    expect(await callTool(client, 'say', { a: 'x' })).toBe('old x');
  });

  it.each(builtIns)('does not replace the built-in tool %s', async (name) => {
    const client = await connect();
    expect(await register(client, name, 'mine')).toBe(
      `failed: "${name}" is a built-in tool and can't be replaced: choose another name`,
    );
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it.each(['', 'with space', 'sl/ash', 'ünï', 'x'.repeat(129), 'line\nend'])('rejects the name %j', async (name) => {
    const client = await connect();
    expect(await register(client, name, 'text')).toMatch(/^failed: .*name/);
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it.each(['proto', 'x'.repeat(128), 'hello_world', 'add2'])('accepts the name %s', async (name) => {
    const client = await connect();
    expect(await register(client, name, 'I am {who}')).toBe(`Registered tool: ${name}`);
    expect(await callTool(client, name, { who: 'here' })).toBe('I am here');
    expect(await callTool(client, 'unregister_tool', { name })).toBe(`Unregistered tool: ${name}`);
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it.each(['__proto__', 'constructor', 'Constructor', 'prototype', 'toString', 'TOSTRING', 'hasOwnProperty'])(
    'rejects the name %s, which every object has (TT-18)',
    async (name) => {
      const client = await connect();
      expect(await register(client, name, 'x')).toBe(
        `failed: "${name}" is the name of a part of every object in JavaScript: choose another name`,
      );
      expect(await toolNames(client)).toEqual(builtIns);
    },
  );

  it.each([
    ['HELLO', 'hello'],
    ['Hello', 'hello'],
    ['he11o', 'hello'],
    ['heIIo', 'hello'],
    ['hell0', 'hello'],
    ['read-file', 'read_file'],
    ['Read.File', 'read_file'],
    ['reg1ster_too1', 'register_tool'],
  ])('rejects %s, which looks like the built-in %s (TT-18)', async (name, other) => {
    const client = await connect();
    expect(await register(client, name, 'mine')).toBe(
      `failed: "${name}" looks like the tool "${other}" that is already there: choose another name`,
    );
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it('rejects a name that resembles another registered tool, until that is removed (TT-18)', async () => {
    const client = await connect();
    await register(client, 'summary', 'old');
    expect(await register(client, 'surnmary', 'mine')).toMatch(/^failed: "surnmary" looks like the tool "summary"/);
    expect(await register(client, 'summary', 'new')).toBe('Replaced tool: summary');
    await callTool(client, 'unregister_tool', { name: 'summary' });
    expect(await register(client, 'surnmary', 'mine')).toBe('Registered tool: surnmary');
  });

  it('rejects a name that resembles a tool of a composed server (TT-18)', async () => {
    const otherTools = (): string[] => ['create_note'];
    const server = ccmcpServer({ root: emptyFolder(), logLevel: 'emergency', otherTools });
    const client = new McpClient(memoryWire(server), { version: '2025-11-25' });
    await client.initialize();
    for (const name of ['create_note', 'CREATE_NOTE', 'create-n0te']) {
      expect(await register(client, name, 'mine')).toMatch(/^failed: .*that is already there: choose another name/);
    }
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it.each([
    ['a Cyrillic letter', 'h\u0435llo'],
    ['a Greek letter', 'hell\u03bf'],
    ['full-width letters', '\uff48\uff45\uff4c\uff4c\uff4f'],
    ['a mathematical letter', '\u{1d4f1}ello'],
    ['a zero-width space', 'hel\u200blo'],
    ['a soft hyphen', 'hel\u00adlo'],
    ['a change of direction', 'hello\u202e'],
    ['a tag character', 'hello\u{e0041}'],
    ['an escape', 'hello\u001b[0m'],
  ])('rejects a name with %s (TT-18)', async (_, name) => {
    const client = await connect();
    expect(await register(client, name, 'mine')).toMatch(/^failed: .*name/);
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it.each([
    ['tag characters', 'x\u{e0049}\u{e0067}', 'U+E0049'],
    ['an override of direction', 'safe \u202eelif eteled', 'U+202E'],
    ['an isolate', '\u2066x\u2069', 'U+2066'],
    ['a terminal escape', '\u001b[2Jgone', 'U+001B'],
    ['a C1 control', 'x\u009b2J', 'U+009B'],
    ['a zero-width space', 'a\u200bb', 'U+200B'],
    ['a word joiner', 'a\u2060b', 'U+2060'],
    ['a byte order mark', '\ufeffa', 'U+FEFF'],
    ['a Hangul filler', 'a\u3164', 'U+3164'],
    ['an invisible variation', 'a\u{e0101}', 'U+E0101'],
    ['joiners in a row', 'a\u200d\u200d', 'U+200D'],
    ['a line separator', 'a\u2028b', 'U+2028'],
    ['a private character', 'a\u{f0000}', 'U+F0000'],
    ['NUL', 'a\0', 'U+0000'],
  ])('rejects %s in a description and in a template (TT-21)', async (_, text, shown) => {
    const client = await connect();
    for (const changed of [{ description: text }, { template: text }]) {
      const args = { name: 'fine', description: 'fine', template: 'fine', ...changed };
      const reply = await callTool(client, 'register_tool', args);
      expect(reply).toMatch(
        /^failed: The (description|template) has a character at position \d+ that people can't see/,
      );
      expect(reply).toContain(shown);
    }
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it.each(['Zeilen\r\nund\ttabs', '👩‍👩‍👧 ❤️‍🔥 1️⃣ 👍🏽 ☂︎', 'می‌خواهم', 'क्‍ष', 'עברית 漢字 ção'])(
    'takes %j as a description and a template',
    async (words) => {
      const client = await connect();
      const args = { name: 'fine', description: words, template: words };
      expect(await callTool(client, 'register_tool', args)).toBe('Registered tool: fine');
      expect(await callTool(client, 'fine')).toBe(words);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'takes the placeholder %s for what it says, and nothing inherited for its value',
    async (placeholder) => {
      const client = await connect();
      await register(client, 'odd', `<{${placeholder}}>`);
      const { tools } = await client.request('tools/list');
      expect(JSON.stringify(tools.at(-1).inputSchema)).toContain(`"properties":{"${placeholder}":{"type":"string"}}`);
      expect(await callTool(client, 'odd', JSON.parse(`{"${placeholder}":"value"}`))).toBe('<value>');
      expect(await callTool(client, 'odd')).toMatch(new RegExp(`^failed: .*${placeholder}`));
      expect(await callTool(client, 'odd', JSON.parse(`{"${placeholder}":{"x":1}}`))).toMatch(/^failed: /);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );

  it('inserts values as text, without expanding them again', async () => {
    const client = await connect();
    await register(client, 'pair', '{a}{b}');
    // oxlint-disable-next-line no-template-curly-in-string -- it is data
    const a = '{b} {{ $& $1 ${process.exit(1)} `id` %s';
    expect(await callTool(client, 'pair', { a, b: '{a}' })).toBe(`${a}{a}`);
  });

  it('reports a filled-in text that is too long', async () => {
    const client = await connect();
    await register(client, 'long', '{a}'.repeat(20));
    expect(await callTool(client, 'long', { a: 'x'.repeat(100_000) })).toMatch(/^failed: .*larger than 1 MiB/);
    expect(await callTool(client, 'long', { a: 'x' })).toBe('x'.repeat(20));
  });

  it('rejects a description of more than 2000 characters', async () => {
    const client = await connect();
    const args = { name: 'wordy', description: 'x'.repeat(2001), template: '' };
    expect(await callTool(client, 'register_tool', args)).toMatch(/^failed: .*description/);
  });

  it('rejects more than 1000 tools, until one is removed', async () => {
    const client = await connect();
    for (let i = 0; i < 1000; i += 1) await register(client, `t${i}`, 'x');
    expect(await register(client, 'more', 'x')).toMatch(/^failed: There are already 1000 registered tools/);
    expect(await register(client, 't5', 'y')).toBe('Replaced tool: t5');
    await callTool(client, 'unregister_tool', { name: 't5' });
    expect(await register(client, 'more', 'x')).toBe('Registered tool: more');
  });
});

describe('unregister_tool', () => {
  it('removes a registered tool', async () => {
    const client = await connect();
    await register(client, 'gone', 'x');
    expect(await callTool(client, 'unregister_tool', { name: 'gone' })).toBe('Unregistered tool: gone');
    expect(await toolNames(client)).toEqual(builtIns);
    await expect(callTool(client, 'gone')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: gone' });
  });

  it.each(builtIns)('does not remove the built-in tool %s', async (name) => {
    const client = await connect();
    expect(await callTool(client, 'unregister_tool', { name })).toBe(
      `failed: "${name}" is a built-in tool and can't be unregistered`,
    );
    expect(await toolNames(client)).toEqual(builtIns);
  });

  it('lists the registered tools if the name is unknown', async () => {
    const client = await connect();
    const unregister = (name: string): Promise<string> => callTool(client, 'unregister_tool', { name });
    expect(await unregister('none')).toBe('failed: There is no registered tool with this name: none is registered');
    await register(client, 'one', 'x');
    await register(client, 'two', 'x');
    expect(await unregister('three')).toBe('failed: There is no registered tool with this name. Registered: one, two');
    expect(await unregister('__proto__')).toMatch(/^failed: There is no registered tool/);
  });
});

describe('clients', () => {
  it('are notified once of each change of the list (S-T-02)', async () => {
    const client = await connect();
    const received = (): number => client.notifications('notifications/tools/list_changed').length;
    await register(client, 'say', 'old');
    await client.readNotification('notifications/tools/list_changed');
    await register(client, 'say', 'new');
    await client.readNotification('notifications/tools/list_changed');
    await callTool(client, 'unregister_tool', { name: 'say' });
    await client.readNotification('notifications/tools/list_changed');
    expect(await register(client, 'say', '{')).toMatch(/^failed/);
    await callTool(client, 'unregister_tool', { name: 'say' });
    await client.request('ping');
    expect(received()).toBe(3);
  });

  it('are notified that the configuration and the commands changed, if subscribed (S-R-07)', async () => {
    const client = await connect();
    await client.request('resources/subscribe', { uri: 'config://server' });
    await client.request('resources/subscribe', { uri: 'help://commands' });
    await register(client, 'say', 'x');
    const uris = [1, 2].map(async () => (await client.readNotification('notifications/resources/updated')).params?.uri);
    expect(await Promise.all(uris)).toEqual(['config://server', 'help://commands']);
  });

  it('are notified of tools that another client of the same server registers, and can call them', async () => {
    const server = ccmcpServer({ root: emptyFolder(), logLevel: 'emergency' });
    const one = new McpClient(memoryWire(server), { version: '2024-11-05' });
    const other = new McpClient(memoryWire(server), { version: '2025-11-25' });
    await one.initialize();
    await other.initialize();
    await register(one, 'say', 'for all');
    await other.readNotification('notifications/tools/list_changed');
    expect(await callTool(other, 'say')).toBe('for all');
  });
});

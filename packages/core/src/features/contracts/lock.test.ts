import { describe, expect, it } from 'vitest';
import { createLock, diffLocks, formatLock, type Lock, lockedTarget, parseLock } from '../../contracts.ts';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { scripted } from '../../client/fixtures/scripted.ts';
import type { Request } from '../../jsonrpc/message.ts';

const greet = tool('greet', { description: 'Greet someone', input: { type: 'object' } }, () => 'Hello');
const add = tool('add', { description: 'Add numbers', input: { type: 'object' } }, () => '3');
const server = (tools = [greet, add]) => createServer({ name: 'demo', version: '1.0.0', tools });

async function lockText(): Promise<string> {
  return formatLock(await createLock({ demo: server() }));
}

/** The lock of a scripted server whose tools are `rows`, given anew for each request. */
async function lockRows(rows: () => unknown[], more: object = {}): Promise<Lock> {
  const { client } = await scripted(
    ({ method, params }: Request) => {
      if (method === 'initialize') {
        return {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 's' },
          ...more,
        };
      }
      return method === 'tools/list' ? { tools: rows() } : undefined;
    },
    { era: 'handshake' },
  );
  return createLock({ s: client });
}

describe('a lock', () => {
  it('has the whole definition of each tool, with a digest, the identity and the capabilities of the server', async () => {
    const { targets } = await createLock({ demo: server() });
    expect(targets.demo).toMatchObject({
      server: { name: 'demo', version: '1.0.0' },
      revisions: expect.arrayContaining(['2026-07-28']),
      capabilities: { tools: {} },
      tools: { add: { definition: { name: 'add', description: 'Add numbers', inputSchema: { type: 'object' } } } },
      prompts: {},
    });
    expect(targets.demo?.tools.add?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('has the same bytes however a server orders its list and the members of its objects', async () => {
    const rows = [
      { name: 'b', description: 'B', inputSchema: { type: 'object', properties: { y: {}, x: {}, 10: {}, 9: {} } } },
      { name: 'a', inputSchema: { type: 'object' } },
    ];
    const turned = [
      { inputSchema: { type: 'object' }, name: 'a' },
      { inputSchema: { properties: { 9: {}, 10: {}, x: {}, y: {} }, type: 'object' }, description: 'B', name: 'b' },
    ];
    expect(formatLock(await lockRows(() => rows))).toBe(formatLock(await lockRows(() => turned)));
  });

  it('leaves out metadata that may vary, and keeps what hosts act upon', async () => {
    let count = 0;
    const { targets } = await lockRows(() => {
      count += 1;
      return [{ name: 'a', inputSchema: {}, _meta: { at: count, ui: { resourceUri: 'ui://a' } } }];
    });
    expect(targets.s?.tools.a?.definition).toEqual({
      name: 'a',
      inputSchema: {},
      _meta: { ui: { resourceUri: 'ui://a' } },
    });
  });

  it('shows invisible characters as escapes, and reads them back', async () => {
    const lock = await lockRows(() => [{ name: 'a', description: 'x\u200B\u{E0041}\u202E', inputSchema: {} }]);
    const text = formatLock(lock);
    expect(text).toContain(String.raw`x\u200b\udb40\udc41\u202e`);
    expect(await parseLock(text)).toEqual(lock);
  });

  it.each(['__proto__', 'constructor', '1', ''])('keeps a tool called %j', async (name) => {
    const lock = await lockRows(() => [{ name, inputSchema: {} }]);
    const read = await parseLock(formatLock(lock));
    expect(Object.keys(read.targets.s?.tools ?? {})).toEqual([name]);
    expect(diffLocks(lock, read)).toEqual([]);
    expect(diffLocks(await lockRows(() => []), read)).toMatchObject([{ item: 'tool', name, text: 'it is new' }]);
  });

  it('is rejected for a server that answers differently each time', async () => {
    let count = 0;
    const locked = lockRows(() => {
      count += 1;
      return [{ name: 'now', description: `It is ${count}`, inputSchema: {} }];
    });
    await expect(locked).rejects.toThrow(
      'The server answers differently each time: the tool "now" changed between two requests. Lock it when it is stable',
    );
  });

  it.each([
    ['two tools of one name', [{ name: 'a' }, { name: 'a', description: 'other' }], 'lists two different tools "a"'],
    ['a tool without a name', [{ description: 'x' }], 'A row of tools/list is not an object with "name"'],
  ])('is rejected for a server with %s', async (_, rows, message) => {
    await expect(lockRows(() => rows)).rejects.toThrow(message);
  });

  it('is found by the name of its target, or by the end of it', async () => {
    const { targets } = await createLock({ demo: server() });
    const demo = targets.demo as NonNullable<typeof targets.demo>;
    const lock: Lock = { lockVersion: 1, targets: { 'cursor:demo': demo, 'x:two': demo, 'y:two': demo } };
    expect(lockedTarget(lock, 'demo')).toBe(demo);
    expect(lockedTarget(lock, 'x:two')).toBe(demo);
    expect(() => lockedTarget(lock, 'two')).toThrow('The lock has no target "two": it has cursor:demo, x:two, y:two');
  });
});

describe('the text of a lock', () => {
  it.each([
    ['cut off', '{', /^The lock is not valid JSON: .*\. Write it again with "ccmcp lock"$/],
    ['with conflicts of a merge', '<<<<<<< ours\n{}', /^The lock has conflicts of a merge: resolve them/],
    ['of another type', '[]', /^This is no lock: it has no "lockVersion"/],
    ['of another file', '{"mcpServers":{}}', /^This is no lock/],
    [
      'of a newer format',
      '{"lockVersion":2,"targets":{}}',
      /^The lock has the format 2, from a newer program; this one reads 1: update ccmcp$/,
    ],
    ['of an unknown format', '{"lockVersion":"1","targets":{}}', /^The lock has an unknown format/],
    ['without targets', '{"lockVersion":1}', /^The lock has no object "targets"/],
    [
      'with a target that is no object',
      '{"lockVersion":1,"targets":{"a":1}}',
      /^The lock of "a" is invalid: it is no object/,
    ],
    ['with a member twice', '{"lockVersion":1,"targets":{},"targets":{}}', /^The lock has the member "targets" twice/],
    [
      'that is nested too deeply',
      `{"lockVersion":1,"targets":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      /^The lock is nested deeper than 100/,
    ],
    ['that is too long', ' '.repeat(17 * 1024 * 1024), /^The lock is longer than 16777216 characters/],
  ])('%s is rejected with advice', async (_, text, message) => {
    await expect(parseLock(text)).rejects.toThrow(
      expect.objectContaining({ name: 'LockError', message: expect.stringMatching(message) }),
    );
  });

  it('is rejected if a definition was edited by hand', async () => {
    const edited = (await lockText()).replace('Add numbers', 'Add any numbers');
    await expect(parseLock(edited)).rejects.toThrow(
      'The lock of "demo" is invalid: the tool "add" was edited by hand: its digest is not that of its definition',
    );
  });

  it('is rejected if a definition has the name of another', async () => {
    const edited = (await lockText()).replace('"name": "add"', '"name": "sub"');
    await expect(parseLock(edited)).rejects.toThrow(
      'the tool "add" has the definition of another: its "name" is "sub"',
    );
  });

  it('is rejected if a definition is there twice', async () => {
    const text = await lockText();
    const edited = text.replace('\n      "tools": {', '\n      "tools": { "greet": {},');
    await expect(parseLock(edited)).rejects.toThrow('The lock has the member "greet" twice');
  });

  it('is read with a byte order mark', async () => {
    expect(await parseLock(`\uFEFF${await lockText()}`)).toMatchObject({ lockVersion: 1 });
  });
});

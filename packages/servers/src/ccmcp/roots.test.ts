import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { callTool, emptyFolder } from '../../../../test/support/ccmcp.ts';
import { McpClient } from '../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../test/support/wires.ts';
import { defaultRoots, openSandboxes, type Sandbox } from './sandbox.ts';
import { ccmcpServer } from './server.ts';

describe('without a root', () => {
  async function start(): Promise<McpClient> {
    const client = new McpClient(memoryWire(ccmcpServer({ logLevel: 'emergency' })), { version: '2025-03-26' });
    await client.initialize();
    return client;
  }

  it.each([tmpdir(), '/tmp'])('reads an absolute path in the temporary folder %s', async (folder) => {
    const path = join(folder, `mcp_test-${process.pid}.txt`);
    writeFileSync(path, 'test content\n');
    onTestFinished(() => rmSync(path));
    expect(await callTool(await start(), 'read_file', { path })).toBe('test content\n');
  });

  it('resolves relative paths against the working directory', async () => {
    const listed = await callTool(await start(), 'list_directory', { path: '.' });
    expect(listed).toContain('F package.json');
    const path = join(process.cwd(), 'package.json');
    expect(await callTool(await start(), 'read_file', { path })).toContain('"name"');
  });

  it('rejects all other paths, and names the roots', async () => {
    const roots = [...new Set(defaultRoots())].join(' and ');
    expect(await callTool(await start(), 'read_file', { path: '/etc/passwd' })).toBe(
      `failed: Path leads outside the roots ${roots}: /etc/passwd`,
    );
    expect(await callTool(await start(), 'read_file', { path: '/tmp/../etc/passwd' })).toMatch(/^failed: .*'\.\.'/);
  });
});

describe('several roots', () => {
  let one = '';
  let two = '';
  let sandbox: Sandbox;

  beforeEach(() => {
    one = emptyFolder();
    two = emptyFolder();
    writeFileSync(join(one, 'a.txt'), 'of one');
    writeFileSync(join(two, 'a.txt'), 'of two');
    sandbox = openSandboxes([one, two, two, '/no/such/folder', join(one, 'a.txt')]);
    onTestFinished(() => sandbox.close());
  });

  it('are selected by absolute paths; relative paths belong to the first', () => {
    expect(sandbox.readFile('a.txt')).toBe('of one');
    expect(sandbox.readFile(join(one, 'a.txt'))).toBe('of one');
    expect(sandbox.readFile(join(two, 'a.txt'))).toBe('of two');
    sandbox.writeFile(join(two, 'b.txt'), 'b');
    expect(sandbox.listDirectory(two)).toHaveLength(2);
    expect(sandbox.listDirectory('.')).toHaveLength(1);
  });

  it('keep each link inside its own root', () => {
    symlinkSync(join(two, 'a.txt'), join(one, 'link'));
    symlinkSync('/etc/passwd', join(two, 'link'));
    const outside = `Path leads outside the roots ${one} and ${two}`;
    expect(() => sandbox.readFile('link')).toThrow(`${outside}: link`);
    expect(() => sandbox.readFile(join(two, 'link'))).toThrow(`${outside}: ${join(two, 'link')}`);
  });

  it('do not allow moves between them', () => {
    expect(() => sandbox.move('a.txt', join(two, 'c.txt'))).toThrow('Both paths must be in one root');
    sandbox.move(join(two, 'a.txt'), join(two, 'c.txt'));
    expect(sandbox.readFile(join(two, 'c.txt'))).toBe('of two');
  });

  it('return paths that are valid again', async () => {
    mkdirSync(join(two, 'sub'));
    writeFileSync(join(two, 'sub', 'found.txt'), 'sought');
    const wanted = { text: 'sought', ignoreCase: false };
    const { lines } = await sandbox.search(two, wanted, new AbortController().signal);
    expect(lines).toEqual([`${join(two, 'sub', 'found.txt')}:1: sought`]);
    const inTrash = sandbox.discard(join(two, 'a.txt'));
    expect(sandbox.readFile(inTrash)).toBe('of two');
    expect(sandbox.readFile(sandbox.discard('a.txt'))).toBe('of one');
    sandbox.remove(join(two, 'sub'));
    expect(sandbox.makeDirectory(join(two, 'sub'))).toBe(true);
  });
});

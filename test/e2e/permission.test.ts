import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, connect, emptyFolder, launcher } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

const known = process.allowedNodeEnvironmentFlags;

interface Permitted {
  /** Folders with write permission. */
  writes?: string[];
  /** Whether SQLite is used: on Node 20 it is a native addon. */
  sqlite?: true;
  network?: true;
}

/** An environment in which Node allows a process to read the program and the given folders only. */
function permit({ writes = [], sqlite, network }: Permitted): { NODE_OPTIONS: string } {
  const program = [launcher, join(root, 'package.json'), join(root, 'packages', '*'), join(root, 'node_modules', '*')];
  const flags = [known.has('--permission') ? '--permission' : '--experimental-permission', '--no-warnings'];
  for (const path of [...program, ...writes]) flags.push(`--allow-fs-read=${path}`);
  for (const path of writes) flags.push(`--allow-fs-write=${path}`);
  if (sqlite && process.getBuiltinModule?.('node:sqlite') === undefined) flags.push('--allow-addons');
  if (network && known.has('--allow-net')) flags.push('--allow-net');
  return { NODE_OPTIONS: flags.join(' ') };
}

const calls = {
  greeting: ['HelloTool', { value: 'Ada' }, 'bonjour Ada'],
  moonphase: ['moonphase', { datetime: '2024-01-25T17:54:00Z' }, 'full moon'],
  miniagent: ['conjugate', { verb: 'go', tense: 'past_simple', person: '1sg' }, 'went'],
} as const;

describe('under Node’s permission model', () => {
  it('the server ccmcp works on its folder (OB-07)', async () => {
    const folder = emptyFolder();
    const writes = [join(folder, '*')];
    const env = permit({ writes });
    const { client, wire } = await connect({ args: ['--root', folder, '--log-level', 'emergency'], env });
    expect(await callTool(client, 'hello', { name: 'Ada' })).toBe('Hello, Ada!');
    expect(await callTool(client, 'write_file', { path: 'a.txt', content: 'one' })).toMatch(/3 bytes/);
    chmodSync(join(folder, 'a.txt'), 0o640);
    expect(await callTool(client, 'write_file', { path: 'a.txt', content: 'three' })).toMatch(/5 bytes/);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('three');
    expect(statSync(join(folder, 'a.txt')).mode & 0o777).toBe(0o640);
    expect(await callTool(client, 'read_file', { path: 'a.txt' })).toBe('three');
    expect(await callTool(client, 'list_directory', { path: '.' })).toContain('a.txt');
    const edits = [{ old_text: 'three', new_text: 'four' }];
    expect(await callTool(client, 'edit_file', { path: 'a.txt', edits })).toContain('+four');
    expect(await callTool(client, 'make_directory', { path: 'b/c' })).toBe('Made b/c');
    expect(await callTool(client, 'move', { from: 'a.txt', to: 'b/c/a.txt' })).toMatch(/^Moved/);
    expect(await callTool(client, 'search_files', { text: 'four' })).toBe('b/c/a.txt:1: four');
    expect(await callTool(client, 'delete', { path: 'b' })).toMatch(/^Moved b to the trash/);
    await callTool(client, 'register_tool', { name: 'say', description: 'Says', template: 'Well, {what}' });
    expect(await callTool(client, 'say', { what: 'yes' })).toBe('Well, yes');
    expect(await callTool(client, 'add', { a: 1, b: 'x' })).toMatch(/^failed: .*b/);
    await client.close();
    expect(wire.stderr()).toBe('');
  });

  it('opens folders by descriptor where allowed, so that no race escapes (OB-07)', async () => {
    const folder = emptyFolder();
    const env = permit({ writes: [join(folder, '*'), '/proc/self/fd/*'] });
    const { client } = await connect({ args: ['--root', folder], env });
    expect(await callTool(client, 'write_file', { path: 'a.txt', content: 'one' })).toMatch(/3 bytes/);
    expect(await callTool(client, 'read_file', { path: 'a.txt' })).toBe('one');
    expect(await callTool(client, 'list_directory', { path: '.' })).toContain('a.txt');
    await client.close();
  });

  it('reports a file without permission (OB-07)', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'a.txt'), 'one');
    const env = permit({});
    env.NODE_OPTIONS += ` --allow-fs-read=${join(folder, '*')}`;
    const { client } = await connect({ args: ['--root', folder], env });
    expect(await callTool(client, 'read_file', { path: 'a.txt' })).toBe('one');
    expect(await callTool(client, 'write_file', { path: 'a.txt', content: 'two' })).toMatch(
      /^failed: Permission denied/,
    );
    await client.close();
  });

  it('the server notes keeps notes (OB-07)', async () => {
    const folder = emptyFolder();
    const env = permit({ writes: [join(folder, '*')], sqlite: true });
    const args = ['notes', '--db', join(folder, 'data', 'notes.db'), '--log-level', 'error'];
    const { client, wire } = await connect({ args, env });
    expect(await callTool(client, 'create_note', { title: 'Milk', content: 'and bread' })).toBe('Created: note_3');
    expect(await callTool(client, 'search_notes', { query: 'bread' })).toMatch(/^note_3: Milk/);
    await client.close();
    expect(wire.stderr()).toBe('');
  });

  it('the servers greeting, moonphase and miniagent need to read only themselves (OB-07)', async () => {
    const args = [...Object.keys(calls), '--log-level', 'error'];
    const { client, wire } = await connect({ args, env: permit({}) });
    for (const [name, given, said] of Object.values(calls)) expect(await callTool(client, name, given)).toContain(said);
    await client.close();
    expect(wire.stderr()).toBe('');
  });

  it('all servers together work over HTTP (OB-07)', async () => {
    const folder = emptyFolder();
    const writes = [join(folder, '*')];
    const env = { ...process.env, ...permit({ writes, sqlite: true, network: true }), KEY: 'secret' };
    const names = ['ccmcp', 'notes', ...Object.keys(calls)];
    const options = ['--http', '0', '--root', folder, '--db', join(folder, 'notes.db'), '--api-key-env', 'KEY'];
    const child = spawn(launcher, [...names, ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    while (!said.includes('curl')) await once(child.stdout, 'data');
    const url = /http:\/\/\S+\/mcp/.exec(said)?.[0] ?? '';
    const call = async (name: string, args: object): Promise<string> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': 'secret' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      });
      return response.text();
    };
    expect(await call('write_file', { path: 'a.txt', content: 'one' })).toContain('3 bytes');
    expect(await call('create_note', { title: 'Milk', content: 'and bread' })).toContain('Created: note_3');
    for (const [name, args, found] of Object.values(calls)) expect(await call(name, args)).toContain(found);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});

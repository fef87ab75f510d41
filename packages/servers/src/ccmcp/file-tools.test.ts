import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, emptyFolder } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

describe('read_file', () => {
  it('gives the content of a file, by its relative or absolute path', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'a/b.txt'), 'zwei\nZeilen ü\n');
    const client = await connect({ root });
    expect(await callTool(client, 'read_file', { path: 'a/b.txt' })).toBe('zwei\nZeilen ü\n');
    expect(await callTool(client, 'read_file', { path: join(root, 'a/b.txt') })).toBe('zwei\nZeilen ü\n');
  });

  it('takes a file of 1 MB and none that is larger', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'fits'), 'x'.repeat(1_000_000));
    writeFileSync(join(root, 'large'), 'x'.repeat(1024 * 1024 + 1));
    const client = await connect({ root });
    expect(await callTool(client, 'read_file', { path: 'fits' })).toHaveLength(1_000_000);
    expect(await callTool(client, 'read_file', { path: 'large' })).toMatch(/^failed: .*large/);
  });

  it.each([
    ['missing.txt', /^failed: File not found: missing\.txt$/],
    ['', /^failed: Path is empty/],
    ['.', /^failed: Is a directory/],
    ['../etc/passwd', /^failed: Path contains '\.\.'/],
    ['a/../b', /^failed: Path contains '\.\.'/],
    ['/etc/passwd', /^failed: Path leads outside the root: \/etc\/passwd$/],
    ['a\0b', /^failed: Path contains a NUL byte/],
  ])('tells the model what is wrong with the path %j', async (path, message) => {
    expect(await callTool(await connect(), 'read_file', { path })).toMatch(message);
  });

  it('follows no link out of the root', async () => {
    const root = emptyFolder();
    symlinkSync('/etc/passwd', join(root, 'link'));
    expect(await callTool(await connect({ root }), 'read_file', { path: 'link' })).toMatch(/^failed: .*outside/);
  });
});

describe('write_file', () => {
  it('says how many bytes it wrote, not characters', async () => {
    const root = emptyFolder();
    const client = await connect({ root });
    const written = await callTool(client, 'write_file', { path: 'new.txt', content: 'größer' });
    expect(written).toBe('Wrote 8 bytes to new.txt');
    expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('größer');
  });

  it('replaces what was there, also with nothing', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a'), 'old and longer');
    const client = await connect({ root });
    expect(await callTool(client, 'write_file', { path: 'a', content: 'new' })).toBe('Wrote 3 bytes to a');
    expect(await callTool(client, 'read_file', { path: 'a' })).toBe('new');
    expect(await callTool(client, 'write_file', { path: 'a', content: '' })).toBe('Wrote 0 bytes to a');
    expect(await callTool(client, 'read_file', { path: 'a' })).toBe('');
  });

  it.each(['../escape', '/tmp/escape', 'no/such/folder', '', '.'])('refuses the path %j', async (path) => {
    expect(await callTool(await connect(), 'write_file', { path, content: 'x' })).toMatch(/^failed: /);
  });
});

describe('list_directory', () => {
  it('gives a line for each entry, sorted by name', async () => {
    const root = emptyFolder();
    for (const name of ['z.txt', 'a.txt', 'm']) writeFileSync(join(root, name), '');
    for (const name of ['y', 'b']) mkdirSync(join(root, name));
    const client = await connect({ root });
    expect(await callTool(client, 'list_directory', { path: '.' })).toBe('F a.txt\nD b\nF m\nD y\nF z.txt');
    expect(await callTool(client, 'list_directory', { path: root })).toBe('F a.txt\nD b\nF m\nD y\nF z.txt');
  });

  it('gives nothing for an empty folder', async () => {
    expect(await callTool(await connect(), 'list_directory', { path: '.' })).toBe('');
  });

  it.each(['missing', '..', '/'])('tells the model what is wrong with the path %j', async (path) => {
    expect(await callTool(await connect(), 'list_directory', { path })).toMatch(/^failed: /);
  });
});

describe('all of them', () => {
  it('never tell where the root is', async () => {
    const root = emptyFolder();
    const client = await connect({ root });
    for (const [name, path] of [
      ['read_file', 'x'],
      ['write_file', 'x/y'],
      ['list_directory', 'x'],
    ] as const) {
      const answer = await callTool(client, name, { path, ...(name === 'write_file' && { content: '' }) });
      expect(answer).toMatch(/^failed: /);
      expect(answer).not.toContain(root);
    }
  });
});

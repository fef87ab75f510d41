import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, emptyFolder } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

describe('read_file', () => {
  it('returns the content of a file, by relative or absolute path', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'a/b.txt'), 'zwei\nZeilen ü\n');
    const client = await connect({ root });
    expect(await callTool(client, 'read_file', { path: 'a/b.txt' })).toBe('zwei\nZeilen ü\n');
    expect(await callTool(client, 'read_file', { path: join(root, 'a/b.txt') })).toBe('zwei\nZeilen ü\n');
  });

  it('accepts a file of 1 MB and rejects a larger one', async () => {
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
  ])('reports the problem with the path %j', async (path, message) => {
    expect(await callTool(await connect(), 'read_file', { path })).toMatch(message);
  });

  it('follows no link out of the root', async () => {
    const root = emptyFolder();
    symlinkSync('/etc/passwd', join(root, 'link'));
    expect(await callTool(await connect({ root }), 'read_file', { path: 'link' })).toMatch(/^failed: .*outside/);
  });
});

describe('list_directory', () => {
  it('returns a line per entry, sorted by name', async () => {
    const root = emptyFolder();
    for (const name of ['z.txt', 'a.txt', 'm']) writeFileSync(join(root, name), '');
    for (const name of ['y', 'b']) mkdirSync(join(root, name));
    const client = await connect({ root });
    expect(await callTool(client, 'list_directory', { path: '.' })).toBe('F a.txt\nD b\nF m\nD y\nF z.txt');
    expect(await callTool(client, 'list_directory', { path: root })).toBe('F a.txt\nD b\nF m\nD y\nF z.txt');
  });

  it('requires a path', async () => {
    const client = await connect();
    const { tools } = await client.request('tools/list');
    const listed = tools.find(({ name }: { name: string }) => name === 'list_directory');
    expect(listed.inputSchema.required).toEqual(['path']);
    expect(await callTool(client, 'list_directory')).toMatch(/^failed: .*path: is required/);
  });

  it('returns nothing for an empty folder', async () => {
    expect(await callTool(await connect(), 'list_directory', { path: '.' })).toBe('');
  });

  it.each(['missing', '..', '/'])('reports the problem with the path %j', async (path) => {
    expect(await callTool(await connect(), 'list_directory', { path })).toMatch(/^failed: /);
  });
});

describe('search_files', () => {
  async function project() {
    const root = emptyFolder();
    mkdirSync(join(root, 'src/deep'), { recursive: true });
    writeFileSync(join(root, 'src/one.ts'), 'const answer = 42;\n');
    writeFileSync(join(root, 'src/deep/two.ts'), 'import one\n\nconst Answer = one.answer;\n');
    writeFileSync(join(root, 'readme.md'), '# The answer\n');
    return connect({ root });
  }

  it('finds files and folders by name', async () => {
    const client = await project();
    expect(await callTool(client, 'search_files', { name: '*.ts' })).toBe('F src/deep/two.ts\nF src/one.ts');
    expect(await callTool(client, 'search_files', { name: 'src/*.ts' })).toBe('F src/one.ts');
    expect(await callTool(client, 'search_files', { name: '*.ts', path: 'src/deep' })).toBe('F src/deep/two.ts');
    expect(await callTool(client, 'search_files', { name: 'DEEP', ignore_case: true })).toBe('D src/deep');
  });

  it('finds text in files, of all names or some', async () => {
    const client = await project();
    expect(await callTool(client, 'search_files', { text: 'answer' })).toBe(
      'readme.md:1: # The answer\nsrc/deep/two.ts:3: const Answer = one.answer;\nsrc/one.ts:1: const answer = 42;',
    );
    expect(await callTool(client, 'search_files', { text: 'Answer', name: '*.{ts,js}' })).toBe(
      'src/deep/two.ts:3: const Answer = one.answer;',
    );
    expect(await callTool(client, 'search_files', { text: 'a.swer' })).toBe('Nothing found.');
  });

  it.each([
    [{}, /^failed: Say what to find/],
    [{ text: '' }, /^failed: .*text/],
    [{ text: 'x'.repeat(1001) }, /^failed: .*text/],
    [{ name: '*', path: '..' }, /^failed: Path contains '\.\.'/],
    [{ name: '*', path: 'no' }, /^failed: Directory not found: no/],
    [{ name: '*', path: 'readme.md' }, /^failed: Not a directory/],
    [{ name: '{a,b}'.repeat(20) }, /^failed: The name pattern has more than 64 alternatives/],
  ])('tells the model what is wrong with %j', async (args, message) => {
    expect(await callTool(await project(), 'search_files', args)).toMatch(message);
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, emptyFolder, toolNames } from '../../../../test/support/ccmcp.ts';
import { connect } from './fixtures/connect.ts';

describe('write_file', () => {
  it('returns the number of bytes written, not characters', async () => {
    const root = emptyFolder();
    const client = await connect({ root });
    const written = await callTool(client, 'write_file', { path: 'new.txt', content: 'größer' });
    expect(written).toBe('Wrote 8 bytes to new.txt');
    expect(readFileSync(join(root, 'new.txt'), 'utf8')).toBe('größer');
  });

  it('replaces existing content, also with nothing', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a'), 'old and longer');
    const client = await connect({ root });
    expect(await callTool(client, 'write_file', { path: 'a', content: 'new' })).toBe('Wrote 3 bytes to a');
    expect(await callTool(client, 'read_file', { path: 'a' })).toBe('new');
    expect(await callTool(client, 'write_file', { path: 'a', content: '' })).toBe('Wrote 0 bytes to a');
    expect(await callTool(client, 'read_file', { path: 'a' })).toBe('');
  });

  it.each(['../escape', '/tmp/escape', 'no/such/folder', '', '.'])('rejects the path %j', async (path) => {
    expect(await callTool(await connect(), 'write_file', { path, content: 'x' })).toMatch(/^failed: /);
  });
});

describe('edit_file', () => {
  const edits = [
    { old_text: 'two', new_text: '2' },
    { old_text: 'x', new_text: 'y', all: true },
  ];

  it('returns a diff of the change', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'one\ntwo\nx x\n');
    const client = await connect({ root });
    expect(await callTool(client, 'edit_file', { path: 'a.txt', edits })).toBe(
      'Made 3 replacements in a.txt, which now has 10 bytes\n\n' +
        '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-x x\n+2\n+y y\n',
    );
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n2\ny y\n');
  });

  it('returns the same diff and changes nothing in a dry run', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'two x');
    const client = await connect({ root });
    const answer = await callTool(client, 'edit_file', { path: 'a.txt', edits, dry_run: true });
    expect(answer).toMatch(/^Dry run, nothing was changed: 2 replacements would be made in a\.txt\n\n--- a\.txt\n/);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two x');
  });

  it.each([
    [{ path: 'a.txt', edits: [] }, /^failed: .*edits/],
    [{ path: 'a.txt', edits: [{ old_text: '', new_text: 'x' }] }, /^failed: .*old_text/],
    [{ path: 'a.txt', edits: [{ old_text: 'no', new_text: 'x' }] }, /^failed: old_text is not in the file/],
    [{ path: 'a.txt', edits: [{ old_text: 'o', new_text: 'x' }] }, /^failed: old_text is in the file 2 times/],
    [{ path: 'no.txt', edits }, /^failed: File not found: no\.txt/],
    [{ path: '../a.txt', edits }, /^failed: Path contains/],
  ])('tells the model what is wrong with %j', async (args, message) => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'one o');
    expect(await callTool(await connect({ root }), 'edit_file', args)).toMatch(message);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one o');
  });

  it('truncates a very long diff', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'x\n'.repeat(100_000));
    const args = { path: 'a.txt', edits: [{ old_text: 'x', new_text: 'y', all: true }] };
    const answer = await callTool(await connect({ root }), 'edit_file', args);
    expect(answer.length).toBeLessThan(66_000);
    expect(answer).toMatch(/the rest of the diff is left out\)$/);
  });
});

describe('make_directory, move and delete', () => {
  it('describe the change', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'text');
    const client = await connect({ root });
    expect(await callTool(client, 'make_directory', { path: 'b/c' })).toBe('Made b/c');
    expect(await callTool(client, 'make_directory', { path: 'b/c' })).toBe('b/c exists already');
    expect(await callTool(client, 'move', { from: 'a.txt', to: 'b/c/a.txt' })).toBe('Moved a.txt to b/c/a.txt');
    const deleted = await callTool(client, 'delete', { path: 'b/c/a.txt' });
    const [, kept = ''] = /^Moved b\/c\/a\.txt to the trash: (\.trash\/.+\/b\/c\/a\.txt)$/.exec(deleted) ?? [];
    expect(readFileSync(join(root, kept), 'utf8')).toBe('text');
    expect(await callTool(client, 'list_directory', { path: '.' })).toBe('D .trash\nD b');
  });

  it('delete permanently if the server is configured so', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, 'b/c'), { recursive: true });
    writeFileSync(join(root, 'a.txt'), 'text');
    const client = await connect({ root, hard: true });
    expect(await callTool(client, 'delete', { path: 'a.txt' })).toBe('Deleted a.txt');
    expect(await callTool(client, 'delete', { path: 'b' })).toBe('Deleted b with all that was in it, 2 in all');
    expect(readdirSync(root)).toEqual([]);
  });

  it.each([
    ['make_directory', { path: '../x' }],
    ['move', { from: '../x', to: 'y' }],
    ['move', { from: 'a.txt', to: 'a.txt' }],
    ['delete', { path: '.' }],
    ['delete', { path: 'no' }],
  ])('%s tells the model what is wrong with %j', async (name, args) => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'text');
    const answer = await callTool(await connect({ root }), name, args);
    expect(answer).toMatch(/^failed: /);
    expect(answer).not.toContain(root);
  });
});

describe('a read-only server', () => {
  const writing = ['write_file', 'edit_file', 'make_directory', 'move', 'delete'];

  it('offers no tool that changes files, and reports so if one is called', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'a.txt'), 'text');
    const client = await connect({ root, readOnly: true });
    const names = await toolNames(client);
    for (const name of writing) expect(names).not.toContain(name);
    for (const name of writing) {
      expect(await callTool(client, name, { path: 'a.txt', content: '' })).toBe(
        `failed: This server is read-only: ${name} is not offered. It was started with --read-only; files stay as they are`,
      );
    }
    expect(await callTool(client, 'read_file', { path: 'a.txt' })).toBe('text');
    expect(await callTool(client, 'search_files', { text: 'text' })).toBe('a.txt:1: text');
    expect(existsSync(join(root, '.trash'))).toBe(false);
  });

  it('rejects a registered tool with such a name, or one that resembles it', async () => {
    const client = await connect({ readOnly: true });
    for (const name of ['write_file', 'Write-File', 'de1ete']) {
      const answer = await callTool(client, 'register_tool', { name, description: 'x', template: 'y' });
      expect(answer).toMatch(/^failed: .*choose another name$/);
    }
  });
});

describe('all tools', () => {
  it('never return the path of the root', async () => {
    const root = emptyFolder();
    const client = await connect({ root });
    for (const [name, path] of [
      ['read_file', 'x'],
      ['write_file', 'x/y'],
      ['list_directory', 'x'],
      ['edit_file', 'x'],
      ['delete', 'x'],
      ['search_files', 'x'],
    ] as const) {
      const rest = { content: '', text: 'x', edits: [{ old_text: 'x', new_text: 'y' }] };
      const answer = await callTool(client, name, { path, ...rest });
      expect(answer).toMatch(/^failed: /);
      expect(answer).not.toContain(root);
    }
  });
});

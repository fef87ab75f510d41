import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, connect, emptyFolder, runProcess } from '../support/ccmcp.ts';
import { connectInProcess } from '../support/in-process.ts';

describe('the file tools of ./ccmcp', () => {
  it('work in the folder given with --root', async () => {
    const root = emptyFolder();
    const { client } = await connect({ args: ['--root', root], env: { CCMCP_ROOT: '/' } });
    expect(await callTool(client, 'write_file', { path: 'a.txt', content: 'Grüße' })).toBe('Wrote 7 bytes to a.txt');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('Grüße');
    expect(await callTool(client, 'read_file', { path: 'a.txt' })).toBe('Grüße');
    expect(await callTool(client, 'read_file', { path: join(root, 'a.txt') })).toBe('Grüße');
  });

  it('work in the folder named by CCMCP_ROOT', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'z'), '');
    mkdirSync(join(root, 'a'));
    const { client } = await connect({ env: { CCMCP_ROOT: root } });
    expect(await callTool(client, 'list_directory', { path: '.' })).toBe('D a\nF z');
  });

  it('work in the working directory by default', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'here.txt'), 'found');
    const { client } = await connect({ cwd, env: { CCMCP_ROOT: '' } });
    expect(await callTool(client, 'read_file', { path: 'here.txt' })).toBe('found');
  });

  it('reject paths outside of the root, and explain it to the model', async () => {
    const outside = emptyFolder();
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    const root = emptyFolder();
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file'));
    const { client } = await connectInProcess({ root });
    const read = (path: string): Promise<string> => callTool(client, 'read_file', { path });
    expect(await read('../etc/passwd')).toBe("failed: Path contains '..': ../etc/passwd");
    expect(await read('out/../out/secret.txt')).toMatch(/^failed: Path contains '\.\.'/);
    expect(await read('/etc/passwd')).toBe('failed: Path leads outside the root: /etc/passwd');
    expect(await read(`${root}-neighbour`)).toMatch(/^failed: Path leads outside the root/);
    expect(await read('out/secret.txt')).toBe('failed: Path leads outside the root: out/secret.txt');
    expect(await read('file')).toBe('failed: Path leads outside the root: file');
    expect(await read('a\0b')).toMatch(/^failed: Path contains a NUL byte/);
    expect(await callTool(client, 'write_file', { path: 'out/new', content: 'x' })).toMatch(/^failed: .*outside/);
    expect(await callTool(client, 'list_directory', { path: 'out' })).toMatch(/^failed: .*outside/);
    expect(await callTool(client, 'list_directory', { path: '/' })).toMatch(/^failed: .*outside/);
  });

  it('read files of up to 1 MB, and report larger ones', async () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'fits'), 'x'.repeat(1_000_000));
    writeFileSync(join(root, 'large'), 'x'.repeat(1_048_577));
    const { client } = await connectInProcess({ root });
    expect(await callTool(client, 'read_file', { path: 'fits' })).toHaveLength(1_000_000);
    expect(await callTool(client, 'read_file', { path: 'large' })).toMatch(/^failed: .*large/);
    expect(await callTool(client, 'read_file', { path: 'missing' })).toBe('failed: File not found: missing');
    expect(await callTool(client, 'list_directory', { path: 'missing' })).toMatch(/^failed: .*not found: missing/);
    expect(await callTool(client, 'list_directory', { path: 'fits' })).toMatch(/^failed: /);
  });

  it('reject a folder that does not exist', async () => {
    const missing = join(emptyFolder(), 'missing');
    const { code, stdout, stderr } = await runProcess(['--root', missing]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^ccmcp: .*missing/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

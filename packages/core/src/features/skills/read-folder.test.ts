import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFolder } from './read-folder.ts';

function folder(files: Record<string, string>): string {
  const made = mkdtempSync(join(tmpdir(), 'skills-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 10 }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(made, path, '..'), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

const paths = (at: string): string[] => Object.keys(readFolder(at)).sort();

describe('a folder of skills', () => {
  it('is read completely, except dotfiles', () => {
    const at = folder({ 'a/SKILL.md': '', 'a/.DS_Store': '', '.git/x': '', 'b/c/SKILL.md': '' });
    expect(paths(at)).toEqual(['a/SKILL.md', 'b/c/SKILL.md']);
  });

  it('may be a skill itself, with its name as prefix', () => {
    const at = folder({ 'pdf/SKILL.md': '', 'pdf/x/y.md': '' });
    expect(paths(join(at, 'pdf'))).toEqual(['pdf/SKILL.md', 'pdf/x/y.md']);
  });

  it.each([
    ['a link to a file', (at: string) => symlinkSync('/etc/hostname', join(at, 'a/x.md'))],
    ['a link to a folder', (at: string) => symlinkSync('/etc', join(at, 'a/etc'))],
    ['a link to a file of its own', (at: string) => symlinkSync('SKILL.md', join(at, 'a/x.md'))],
    ['a link that leads back', (at: string) => symlinkSync('..', join(at, 'a/again'))],
    ['a link to itself', (at: string) => symlinkSync('self', join(at, 'a/self'))],
    ['a link that leads nowhere', (at: string) => symlinkSync('nowhere', join(at, 'a/gone'))],
    ['a link in place of a head', (at: string) => symlinkSync('SKILL.md', join(at, 'SKILL.md'))],
    ['a link in place of a skill', (at: string) => symlinkSync('a', join(at, 'b'))],
  ])('is rejected with %s: it could lead anywhere', (_, spoil) => {
    const at = folder({ 'a/SKILL.md': '' });
    spoil(at);
    expect(() => readFolder(at)).toThrow(/is a link: a skill has plain files and folders only/);
  });

  it.skipIf(process.platform === 'win32')(
    'is rejected with a socket, or with a pipe as SKILL.md, even beside skills',
    async () => {
      const places = ['a/SKILL.md', 'a/references/pipe', 'pipe'];
      for (const place of places) {
        const at = folder({ 'b/SKILL.md': 'x', 'a/references/x.md': 'x' });
        execFileSync('mkfifo', [join(at, place)]);
        expect(() => readFolder(at)).toThrow(/is a pipe or socket/);
      }
      const at = folder({ 'b/SKILL.md': 'x' });
      const listener = createServer().listen(join(at, 'b/socket'));
      onTestFinished(() => void listener.close());
      await once(listener, 'listening');
      expect(() => readFolder(at)).toThrow(/is a pipe or socket/);
    },
  );

  it('is rejected with a pipe, without waiting for it', () => {
    const at = folder({ 'a/SKILL.md': '' });
    execFileSync('mkfifo', [join(at, 'a/pipe')]);
    expect(() => readFolder(at)).toThrow(/is a pipe or socket/);
  });

  it('is rejected with a file above the size limit, without reading it', () => {
    const at = folder({ 'a/SKILL.md': '', 'a/huge': '' });
    truncateSync(join(at, 'a/huge'), 2 ** 40);
    expect(() => readFolder(at)).toThrow(/huge" has 1099511627776 bytes: all skills may have 134217728 together/);
  });

  it('is rejected with a file whose name is not UTF-8', () => {
    const at = folder({ 'a/SKILL.md': '' });
    writeFileSync(Buffer.concat([Buffer.from(join(at, 'a/')), Buffer.from([0x61, 0xff])]), 'x');
    expect(() => readFolder(at)).toThrow(TypeError);
    expect(() => readFolder(at)).toThrow(/can't be read: it was deleted, or its name is not UTF-8/);
  });

  it('may have a file named like a member of a prototype', () => {
    const at = folder({ 'a/SKILL.md': '' });
    writeFileSync(join(at, '__proto__'), 'x');
    expect(paths(at)).toEqual(['__proto__', 'a/SKILL.md']);
  });

  it('is rejected if it is nested too deeply', () => {
    const at = folder({ [`${'a/'.repeat(18)}x`]: '' });
    expect(() => readFolder(at)).toThrow(/more than 16 folders deep/);
  });

  it('is rejected with an explanation if it is empty or missing', () => {
    expect(() => readFolder(folder({}))).toThrow(/There is no skill in/);
    expect(() => readFolder(join(folder({}), 'nowhere'))).toThrow(/there is no "\/.*nowhere"$/);
    expect(() => readFolder('./nowhere')).toThrow(
      /new URL\("\.\/nowhere", import\.meta\.url\) counts from your own file/,
    );
    expect(() => readFolder(join(folder({ 'a/SKILL.md': '' }), 'a/SKILL.md'))).toThrow(
      /from a folder, and ".*" is a file/,
    );
  });
});

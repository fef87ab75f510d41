import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFolder } from './read-folder.ts';

function folder(files: Record<string, string>): string {
  const made = mkdtempSync(join(tmpdir(), 'skills-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(made, path, '..'), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

const paths = (at: string): string[] => Object.keys(readFolder(at)).sort();

describe('a folder of skills', () => {
  it('is read whole, but what is hidden', () => {
    const at = folder({ 'a/SKILL.md': '', 'a/.DS_Store': '', '.git/x': '', 'b/c/SKILL.md': '' });
    expect(paths(at)).toEqual(['a/SKILL.md', 'b/c/SKILL.md']);
  });

  it('may be a skill itself, below its own name', () => {
    const at = folder({ 'pdf/SKILL.md': '', 'pdf/x/y.md': '' });
    expect(paths(join(at, 'pdf'))).toEqual(['pdf/SKILL.md', 'pdf/x/y.md']);
  });

  it.each([
    ['a link to a file', (at: string) => symlinkSync('/etc/hostname', join(at, 'a/x.md'))],
    ['a link to a folder', (at: string) => symlinkSync('/etc', join(at, 'a/etc'))],
    ['a link in place of a skill', (at: string) => symlinkSync('a', join(at, 'b'))],
  ])('is refused with %s: it could lead anywhere', (_, spoil) => {
    const at = folder({ 'a/SKILL.md': '' });
    spoil(at);
    expect(() => readFolder(at)).toThrow(/is a link: a skill has plain files and folders only/);
  });

  it('is refused with a pipe, and does not wait for it', () => {
    const at = folder({ 'a/SKILL.md': '' });
    execFileSync('mkfifo', [join(at, 'a/pipe')]);
    expect(() => readFolder(at)).toThrow(/is a pipe or socket/);
  });

  it('is refused where it is too deep', () => {
    const at = folder({ [`${'a/'.repeat(18)}x`]: '' });
    expect(() => readFolder(at)).toThrow(/more than 16 folders deep/);
  });

  it('is refused where it is empty or not there, in words', () => {
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

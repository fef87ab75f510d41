import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupsOf, readConfigFile, removeConfigFile, restoreConfigFile, writeConfigFile } from './config-file.ts';
import { testWorld } from './fixtures/world.ts';

const now = new Date(0);

function fileWith(bytes: string | Buffer): string {
  const { home } = testWorld();
  mkdirSync(home, { recursive: true });
  const path = join(home, 'x.json');
  writeFileSync(path, bytes);
  return path;
}

describe('a configuration file', () => {
  it('is not written over if somebody has changed it meanwhile, and no draft is left', () => {
    const path = fileWith('old');
    const file = readConfigFile(path);
    writeFileSync(path, 'theirs');
    expect(() => writeConfigFile(file, 'ours', now)).toThrow(/changed by somebody else/);
    expect(() => removeConfigFile(file)).toThrow(/changed by somebody else/);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(join(path, '..')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('is not made over one that has appeared meanwhile', () => {
    const path = fileWith('theirs');
    expect(() => writeConfigFile({ path, text: '', mark: '' }, 'ours', now)).toThrow(/changed by somebody else/);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('has a copy for each change, even of the same moment, newest first', () => {
    const path = fileWith('one');
    const first = writeConfigFile(readConfigFile(path), 'two', now);
    const second = writeConfigFile(readConfigFile(path), 'three', now);
    expect(backupsOf(path)).toEqual([second, first]);
    expect(backupsOf(path).map((copy) => readFileSync(copy, 'utf8'))).toEqual(['two', 'one']);
  });

  it('takes no other file for a copy', () => {
    const path = fileWith('one');
    writeFileSync(`${path}.bak-mine`, 'mine');
    writeFileSync(`${path}.bak`, 'mine');
    expect(backupsOf(path)).toEqual([]);
  });

  it('becomes its copy, which is gone then', () => {
    const path = fileWith('one');
    const copy = writeConfigFile(readConfigFile(path), 'two', now) as string;
    restoreConfigFile(readConfigFile(path), copy);
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(backupsOf(path)).toEqual([]);
  });

  it('must be UTF-8', () => {
    expect(() => readConfigFile(fileWith(Buffer.from([0x7b, 0xff, 0x7d])))).toThrow(/not written in UTF-8/);
  });
});

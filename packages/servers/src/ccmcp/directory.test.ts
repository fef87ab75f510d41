import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckedDirectory, hasDescriptorPaths, HeldDirectory, openRoot, type Root } from './directory.ts';

let base: string;
let root: Root;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'directory-')));
  for (const directory of ['root', 'root/dir', 'outside']) mkdirSync(join(base, directory));
  writeFileSync(join(base, 'root/dir/file'), 'inside');
  writeFileSync(join(base, 'outside/file'), 'SECRET');
  symlinkSync('dir', join(base, 'root/link'));
  root = openRoot(join(base, 'root'));
});

afterEach(() => {
  closeSync(root.descriptor);
  rmSync(base, { recursive: true, force: true, maxRetries: 10 });
});

/** Replaces the directory by a link to outside. */
function swap(): void {
  renameSync(join(base, 'root/dir'), join(base, 'root/aside'));
  symlinkSync(join(base, 'outside'), join(base, 'root/dir'));
}

it('a link is never opened as the root', () => {
  expect(() => openRoot(join(base, 'root/link'))).toThrow(/ENOTDIR|ELOOP/);
});

describe.skipIf(process.platform !== 'linux')('a directory held by its descriptor', () => {
  it('is supported here', () => {
    expect(hasDescriptorPaths(root)).toBe(true);
  });

  it('stays the same directory when it is replaced by a link', () => {
    const directory = new HeldDirectory(root.descriptor, undefined).enter('dir');
    swap();
    expect(readFileSync(directory.path('file'), 'utf8')).toBe('inside');
    expect(directory.list().map(({ name }) => name)).toEqual(['file']);
    directory.close();
  });

  it('follows no link, whatever was at the path before', () => {
    const top = new HeldDirectory(root.descriptor, undefined);
    swap();
    expect(() => top.enter('dir')).toThrow(/ENOTDIR|ELOOP/);
    expect(() => top.enter('link')).toThrow(/ENOTDIR|ELOOP/);
  });
});

describe('a directory opened by its path', () => {
  const top = () => new CheckedDirectory(root.path, root.identity, undefined);

  it('follows no link', () => {
    expect(() => top().enter('link')).toThrow('the directory is not where it was');
  });

  it('detects that a link replaced it', () => {
    const directory = top().enter('dir');
    expect(() => directory.confirm()).not.toThrow();
    swap();
    expect(() => directory.confirm()).toThrow('the directory is not where it was');
    expect(() => directory.list()).toThrow('the directory is not where it was');
  });

  it('detects a link that replaced it temporarily, by the file opened in between', () => {
    const directory = top().enter('dir');
    swap();
    const descriptor = openSync(directory.path('file'), 'r');
    rmSync(join(base, 'root/dir'));
    renameSync(join(base, 'root/aside'), join(base, 'root/dir'));
    expect(() => directory.confirm({ name: 'file', descriptor })).toThrow('the directory is not where it was');
    closeSync(descriptor);
  });

  it('detects a swap of a parent directory', () => {
    mkdirSync(join(base, 'root/dir/deep'));
    mkdirSync(join(base, 'outside/deep'));
    const directory = top().enter('dir').enter('deep');
    swap();
    expect(() => directory.confirm()).toThrow('the directory is not where it was');
  });
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CompileCaching, enableCompileCache } from './compile-cache.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ccmcp-cache-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

/** A fake Node with a compile cache, independent of the running version. */
function caching(): CompileCaching & { folders: string[] } {
  const folders: string[] = [];
  return { folders, enableCompileCache: (path) => folders.push(path) };
}

describe('compiled code of a served file', () => {
  it("is in the user's cache folder, which other users can neither read nor write", () => {
    const XDG_CACHE_HOME = folder();
    const node = caching();
    enableCompileCache({ env: { XDG_CACHE_HOME }, platform: 'linux', caching: node });
    const path = join(XDG_CACHE_HOME, 'ccmcp', 'compiled');
    expect(node.folders).toEqual([path]);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('is in the cache folder of the operating system', () => {
    const LOCALAPPDATA = folder();
    const node = caching();
    enableCompileCache({ env: { LOCALAPPDATA, XDG_CACHE_HOME: '/nowhere' }, platform: 'win32', caching: node });
    expect(node.folders).toEqual([join(LOCALAPPDATA, 'ccmcp', 'compiled')]);
  });

  it("is left to Node if a variable says so, or Node can't", () => {
    const XDG_CACHE_HOME = folder();
    const node = caching();
    enableCompileCache({ env: { XDG_CACHE_HOME, NODE_COMPILE_CACHE: '/elsewhere' }, caching: node });
    enableCompileCache({ env: { XDG_CACHE_HOME }, caching: {} });
    expect(node.folders).toEqual([]);
    expect(readdirSync(XDG_CACHE_HOME)).toEqual([]);
  });

  it('is disabled if its folder can not be created', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    const node = caching();
    enableCompileCache({ env: { XDG_CACHE_HOME: file }, platform: 'linux', caching: node });
    expect(node.folders).toEqual([]);
  });

  it('is deleted above a maximum size', () => {
    const XDG_CACHE_HOME = folder();
    const version = join(XDG_CACHE_HOME, 'ccmcp', 'compiled', 'v22');
    mkdirSync(version, { recursive: true });
    const fill = (from: number, to: number): void => {
      for (let index = from; index <= to; index++) writeFileSync(join(version, String(index)), '');
    };
    const keep = (): void =>
      enableCompileCache({ env: { XDG_CACHE_HOME }, platform: 'linux', caching: caching(), maxFiles: 50 });
    fill(1, 50);
    keep();
    expect(existsSync(version)).toBe(true);
    fill(51, 51);
    keep();
    expect(existsSync(version)).toBe(false);
  });
});

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../../../', import.meta.url));

/** The files that are loaded with a file: its imports, without types, recursively. */
function loadedWith(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(sources, path), 'utf8');
  for (const [, what = '', from = ''] of text.matchAll(/^(?:import|export) ([^;]*?) from '(\.[^']+)';/gm)) {
    if (!what.startsWith('type ')) loadedWith(join(dirname(path), from), found);
  }
  return found;
}

it('a server without tokens loads the option checks, and no token verification', () => {
  const loaded = [...loadedWith('http.ts')].filter((path) => path.startsWith('auth/'));
  expect(loaded.sort()).toEqual([
    'auth/address-kind.ts',
    'auth/auth-error.ts',
    'auth/json-fields.ts',
    'auth/server/any-of.ts',
    'auth/server/api-key.ts',
    'auth/server/authenticator.ts',
    'auth/server/guess-limiter.ts',
    'auth/server/key-digests.ts',
    'auth/server/oauth/oauth.ts',
    'auth/server/oauth/options.ts',
    'auth/server/oauth/presets.ts',
    'auth/server/oauth/rejections.ts',
    'auth/server/resource-url.ts',
  ]);
  expect(loadedWith('auth/server/oauth/resource-server.ts').has('auth/server/oauth/public-key.ts')).toBe(true);
});

it.each(['http.ts', 'client.ts', 'testing.ts'])('%s does not load jose', (entry) => {
  const texts = Array.from(loadedWith(entry), (path) => readFileSync(join(sources, path), 'utf8'));
  expect(texts.filter((text) => /^import (?!type )[^;]* from 'jose';/m.test(text))).toEqual([]);
});

it('a stdio server loads no OAuth code', () => {
  expect([...loadedWith('stdio.ts'), ...loadedWith('index.ts')].filter((path) => path.startsWith('auth/'))).toEqual([]);
});

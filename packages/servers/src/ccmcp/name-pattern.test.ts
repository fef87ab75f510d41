import { describe, expect, it } from 'vitest';
import { namePattern } from './search-files.ts';

function matches(pattern: string, path: string, ignoreCase = false): boolean {
  return namePattern(pattern, { ignoreCase })(path.split('/'));
}

describe('a name pattern', () => {
  it.each([
    ['*.ts', 'a.ts'],
    ['*.ts', 'deep/down/a.ts'],
    ['*', '.hidden'],
    ['a?c', 'abc'],
    ['a?c', 'a😀c'],
    ['*.{ts,js}', 'x.js'],
    ['{a,b{c,d}}.txt', 'bd.txt'],
    ['src/*.ts', 'src/a.ts'],
    ['src/**/*.ts', 'src/a.ts'],
    ['src/**/*.ts', 'src/b/c/a.ts'],
    ['**/test/**', 'a/test/b/c'],
    ['./src/*', 'src/a'],
    ['a*b*c', 'axxbyybzzc'],
    ['[x].txt', '[x].txt'],
    ['a.b', 'a.b'],
  ])('%s matches %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true);
  });

  it.each([
    ['*.ts', 'a.tsx'],
    ['*.ts', 'ats'],
    ['a?c', 'ac'],
    ['a.b', 'axb'],
    ['src/*.ts', 'a.ts'],
    ['src/*.ts', 'src/b/a.ts'],
    ['src/**/*.ts', 'lib/src/a.ts'],
    ['A*', 'abc'],
    ['', 'a'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matches(pattern, path)).toBe(false);
  });

  it('ignores case if requested', () => {
    expect(matches('READ*', 'src/readme.md', true)).toBe(true);
    expect(matches('Src/*', 'sRC/readme.md', true)).toBe(true);
  });

  it('takes time proportional to the lengths, whatever the pattern', () => {
    expect(matches(`${'*a'.repeat(90)}b`, 'a'.repeat(4000))).toBe(false);
    expect(matches(`${'**/a/'.repeat(39)}b`, 'a/'.repeat(1000).concat('c'))).toBe(false);
  });

  it('is rejected if it is too long or has too many alternatives', () => {
    expect(() => matches('x'.repeat(201), 'x')).toThrow('longer than 200 characters');
    expect(() => matches('{a,b}'.repeat(40), 'x')).toThrow('more than 64 alternatives');
  });
});

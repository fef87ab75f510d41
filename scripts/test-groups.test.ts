import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from './files.mjs';
import { root } from './packages.mjs';
import { measuringTests, runtimeTests } from './test-groups.mjs';

const tests = ['packages', 'scripts', 'test']
  .flatMap((folder) => filesBelow(join(root, folder)).map((path) => `${folder}/${path.replaceAll('\\', '/')}`))
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'));
const isSlow = (path: string): boolean => path.endsWith('.slow.test.ts');

describe('the groups of tests', () => {
  it.each(runtimeTests)('have a quick test at %s', (begin) => {
    expect(tests.filter((path) => path.startsWith(begin) && !isSlow(path))).not.toEqual([]);
  });

  it.each(measuringTests)('have a slow test at %s', (path) => {
    expect(tests.filter(isSlow)).toContain(path);
  });
});

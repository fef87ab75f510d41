import { describe, expect, it } from 'vitest';
import { measuringTests, runtimeTests, testFiles } from './test-groups.mjs';

const tests = testFiles();
const isSlow = (path: string): boolean => path.endsWith('.slow.test.ts');

describe('the groups of tests', () => {
  it.each(runtimeTests)('have a quick test at %s', (begin) => {
    expect(tests.filter((path) => path.startsWith(begin) && !isSlow(path))).not.toEqual([]);
  });

  it.each(measuringTests)('have a slow test at %s', (path) => {
    expect(tests.filter(isSlow)).toContain(path);
  });
});

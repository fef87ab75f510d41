import { expect, it } from 'vitest';
import { nameMatcher } from './name-pattern.ts';

it.each([
  ['status', 'status', true],
  ['status', 'status2', false],
  ['read_*', 'read_file', true],
  ['read_*', 'read_', true],
  ['*_file', 'read_file', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['*', '', true],
  ['a.c', 'abc', false],
  ['a*b*', 'a\nb\n', true],
])('%j matches %j: %s', (pattern, name, isMatch) => {
  expect(nameMatcher(pattern)(name)).toBe(isMatch);
});

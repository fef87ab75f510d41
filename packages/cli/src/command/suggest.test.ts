import { describe, expect, it } from 'vitest';
import { didYouMean } from './suggest.ts';

const tools = ['hello', 'add', 'echo', 'read_file', 'write_file', 'list_directory'];

describe('a name that is not there', () => {
  it.each([
    ['helo', 'hello'],
    ['ehco', 'echo'],
    ['Add', 'add'],
    ['readfile', 'read_file'],
    ['wirte_file', 'write_file'],
    ['list', 'list_directory'],
  ])('%s is taken for %s', (typed, meant) => {
    expect(didYouMean(typed, tools)).toBe(` Did you mean "${meant}"?`);
  });

  it.each(['x', 'completely_different', ''])('%j is taken for nothing', (typed) => {
    expect(didYouMean(typed, tools)).toBe('');
  });

  it.each([
    ['foo', 'top'],
    ['--audit', '--out'],
    ['--id', '--db'],
  ])('%s is not taken for %s', (typed, other) => {
    expect(didYouMean(typed, [other])).toBe('');
  });

  it('is taken for nothing where nothing is', () => {
    expect(didYouMean('hello', [])).toBe('');
  });
});

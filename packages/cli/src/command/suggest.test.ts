import { describe, expect, it } from 'vitest';
import { didYouMean } from './suggest.ts';

const tools = ['hello', 'add', 'echo', 'read_file', 'write_file', 'list_directory'];

describe('an unknown name', () => {
  it.each([
    ['helo', 'hello'],
    ['ehco', 'echo'],
    ['Add', 'add'],
    ['readfile', 'read_file'],
    ['wirte_file', 'write_file'],
    ['list', 'list_directory'],
  ])('%s suggests %s', (typed, meant) => {
    expect(didYouMean(typed, tools)).toBe(` Did you mean "${meant}"?`);
  });

  it.each(['x', 'completely_different', ''])('%j gets no suggestion', (typed) => {
    expect(didYouMean(typed, tools)).toBe('');
  });

  it.each([
    ['foo', 'top'],
    ['--audit', '--out'],
    ['--id', '--db'],
  ])('%s does not suggest %s', (typed, other) => {
    expect(didYouMean(typed, [other])).toBe('');
  });

  it('suggests nothing if there are no names', () => {
    expect(didYouMean('hello', [])).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import { splitLine } from './shell-words.ts';

describe('a line of the shell', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['call add a=1 b=2', ['call', 'add', 'a=1', 'b=2']],
    ['  spaced   out ', ['spaced', 'out']],
    ['name="Ada Lovelace"', ['name=Ada Lovelace']],
    ['tags:=\'["a"]\'', ['tags:=["a"]']],
    ['a\\ b', ['a b']],
    ['"a\\"b"', ['a"b']],
    ["'a\\b'", ['a\\b']],
    ['""', ['']],
    ['open "quote', ['open', 'open quote'.slice(5)]],
  ])('%j has the words %j', (line, words) => {
    expect(splitLine(line)).toEqual(words);
  });
});

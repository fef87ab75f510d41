import { describe, expect, it } from 'vitest';
import { quoteWord, splitLine } from './shell-words.ts';

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

describe('a word in a shell', () => {
  it.each([
    ['plain', 'plain'],
    ['größe=3', 'größe=3'],
    ['two words', "'two words'"],
    ['', "''"],
    ["isn't", `'isn'\\''t'`],
    ['$HOME', "'$HOME'"],
    ['~/x', "'~/x'"],
    ['C:\\x', "'C:\\x'"],
  ])('%j is typed as %s', (word, typed) => {
    expect(quoteWord(word)).toBe(typed);
    expect(splitLine(typed)).toEqual([word]);
  });
});

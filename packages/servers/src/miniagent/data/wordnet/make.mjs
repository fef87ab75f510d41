#!/usr/bin/env node
// Builds verbs.json from the file `index.verb` of WordNet 3.1 (see NOTICE.txt): node make.mjs path/to/index.verb
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const width = 118;

/**
 * The single-word verbs of a WordNet index, with hyphens; lines that begin with two spaces are its licence.
 *
 * @param {string} index
 */
export function verbsIn(index) {
  const lemmas = index.split('\n').map((line) => /^\S+/.exec(line)?.[0] ?? '');
  return lemmas.filter((lemma) => /^[a-z]+(?:-[a-z]+)*$/.test(lemma)).sort();
}

/**
 * Encodes each word as the number of letters it shares with the one before, and the rest.
 *
 * @param {readonly string[]} words in alphabetical order
 */
export function encodeWords(words) {
  return words.map((word, at) => {
    const before = words[at - 1] ?? '';
    let shared = 0;
    while (shared < digits.length - 1 && shared < before.length && word[shared] === before[shared]) shared += 1;
    return digits[shared] + word.slice(shared);
  });
}

/**
 * Joins encoded words to lines of equal length.
 *
 * @param {readonly string[]} parts
 */
function wrapLines(parts) {
  const lines = [''];
  for (const part of parts) {
    if ((lines.at(-1) ?? '').length + part.length > width) lines.push('');
    lines[lines.length - 1] += part;
  }
  return lines;
}

const [, script = '', path] = process.argv;
if (import.meta.url === pathToFileURL(script).href) {
  if (path === undefined) throw new Error('Give the path of WordNet’s index.verb');
  const lines = wrapLines(encodeWords(verbsIn(readFileSync(path, 'utf8'))));
  writeFileSync(new URL('verbs.json', import.meta.url), `${JSON.stringify(lines, undefined, 2)}\n`);
}

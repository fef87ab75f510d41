import { ToolError } from '@ccmcp/core';
import { isFunctionWord, type Reading } from './readings.ts';
import { type Lemma, lemmasOf, possibleStems } from './conjugate.ts';
import { commonVerbs, findVerb, knownVerbs } from './verb.ts';

/** The error for an unknown word, with the verb that it is a wrong form of, or verbs with a similar spelling. */
export function unknownWord(word: string): ToolError {
  const words = word.split(' ');
  const meant = words.find((each) => !isFunctionWord(each)) ?? words[0] ?? '';
  const [lemma] = words.length > 1 ? lemmasOf(meant) : [];
  return new ToolError(`Unknown verb: "${word}". ${lemma === undefined ? hintAt(meant) : hintAtWords(meant, lemma)}`);
}

/** The hint if the verb is known, but not with the words around it. */
function hintAtWords(word: string, { base }: Lemma): string {
  if (word === base) return `"${word}" is known, but not with these words.`;
  return `"${word}" is a form of "${base}", but these words make no tense of it.`;
}

function hintAt(word: string): string {
  const misformed = misformedVerbs(word);
  const [only = ''] = misformed;
  if (misformed.length === 1) return `Did you mean ${formatList(misformed)}? ${listForms(only)}`;
  const near = misformed.length > 0 ? misformed : similarVerbs(word);
  return near.length > 0 ? `Did you mean ${formatList(near)}?` : 'No known verb is spelled like it.';
}

function listForms(base: string): string {
  const verb = findVerb(base);
  if (verb === undefined) return '';
  const forms = [verb.thirdPerson, verb.past, verb.participle, verb.gerund].map(([form]) => form?.text);
  return `Its forms are ${[base, ...forms].join(', ')}.`;
}

/** The error for another form instead of a base form. */
export function notBaseForm(word: string, readings: readonly Reading[]): ToolError {
  const bases = [...new Set(readings.map(({ verb }) => verb))];
  return new ToolError(`"${word}" is not a base form but a form of ${formatList(bases)}. Give the base form.`);
}

/** Formats words as `"a", "b" or "c"`. */
function formatList(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

const maxLength = 30;
const maxSuggestions = 5;

/** Rare verbs are suggested only if one letter differs. */
const common = new Set(commonVerbs);

/** The known verbs that are spelled most like a word, the nearest first; none if nothing is near. */
export function similarVerbs(word: string): string[] {
  if (word.length > maxLength) return [];
  const limit = Math.min(2, Math.floor(word.length / 2));
  return [...knownVerbs]
    .filter((verb) => Math.abs(verb.length - word.length) <= limit)
    .map((verb) => ({ verb, distance: distanceBetween(word, verb) }))
    .filter(({ verb, distance }) => distance <= (common.has(verb) ? limit : 1))
    .sort((a, b) => a.distance - b.distance || similarity(word, b.verb) - similarity(word, a.verb))
    .slice(0, maxSuggestions)
    .map(({ verb }) => verb);
}

/** Orders equal distances: common verbs first, then those with the same first letter and length. */
function similarity(word: string, verb: string): number {
  return (common.has(verb) ? 4 : 0) + (word[0] === verb[0] ? 2 : 0) + (word.length === verb.length ? 1 : 0);
}

/** The Damerau-Levenshtein distance (optimal string alignment). */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min((last[j - 1] ?? 0) + (same ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** The verbs that a word is a wrong form of: go for `goed`, run for `runned` and `runing`, take for `tooken`. */
export function misformedVerbs(word: string): string[] {
  const bases = possibleStems(word).flatMap((stem) =>
    findVerb(stem) === undefined ? lemmasOf(stem).map(({ base }) => base) : [stem],
  );
  return [...new Set(bases)];
}

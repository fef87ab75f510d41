import type { Rule } from './finding.ts';
import { firstSentence, wordsOf } from './words.ts';

/** A description with fewer words says too little. */
const minWords = 4;
/** Descriptions with at least this share of words in common are the same to a model. */
const maxShared = 0.9;
/** Maximum number of following tools, in this order, to compare a tool with. */
const maxNeighbours = 20;

export const descriptionMissing: Rule = {
  id: 'description-missing',
  severity: 'error',
  about: 'a tool has no description',
  advice: 'Say in a sentence what the tool does and when to use it.',
  *check({ tools }) {
    for (const { name, description = '' } of tools) {
      if (description.trim() === '') yield { tool: name, path: 'description', message: 'there is no description' };
    }
  },
};

export const descriptionVague: Rule = {
  id: 'description-vague',
  severity: 'warning',
  about: `a description has fewer than ${minWords} words, or says no more than the name`,
  advice: 'Say what the tool does, on what, and what comes back.',
  *check({ tools }) {
    for (const { name, title = '', description = '' } of tools) {
      const words = wordsOf(description);
      if (words.length === 0 || hasUnspacedScript(description)) continue;
      const named = new Set([...wordsOf(name), ...wordsOf(title), 'a', 'an', 'the', 'this', 'tool']);
      const isName = words.every((word) => named.has(word) || named.has(word.replace(/(?:es|s)$/, '')));
      const problem = isName ? 'the description only repeats the name' : 'the description has few words';
      if (isName || words.length < minWords) yield { tool: name, path: 'description', message: problem };
    }
  },
};

export const descriptionDuplicate: Rule = {
  id: 'description-duplicate',
  severity: 'warning',
  about: `two tools have descriptions with ${maxShared * 100} % of their words in common`,
  advice: 'Say in each what the others do not do.',
  *check({ tools }) {
    const described = tools
      .map(({ name, description = '' }) => ({ name, words: new Set(wordsOf(description)) }))
      .filter(({ words }) => words.size > 0)
      .map((each) => ({ ...each, key: [...each.words].sort().join(' ') }))
      .sort((one, other) => compare(one.key, other.key));
    // Neighbours in this order share their first words: not every pair is compared.
    for (const [at, one] of described.entries()) {
      for (const other of described.slice(at + 1, at + 1 + maxNeighbours)) {
        if (one.name === other.name || sharedWords(one.words, other.words) < maxShared) continue;
        const message = `its description is nearly that of "${one.name}"`;
        yield { tool: other.name, path: 'description', message };
        break;
      }
    }
  },
};

export const descriptionLate: Rule = {
  id: 'description-begins-late',
  severity: 'hint',
  about: 'the first sentence of a description is longer than 300 characters',
  advice: 'Begin with one short sentence: many clients show or search only that.',
  *check({ tools }) {
    for (const { name, description = '' } of tools) {
      if (firstSentence(description).length >= 300) {
        yield { tool: name, path: 'description', message: 'the first sentence is longer than 300 characters' };
      }
    }
  },
};

/** Scripts that write no spaces between words: words can't be counted. */
function hasUnspacedScript(text: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u.test(text);
}

function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

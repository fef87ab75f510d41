import { ToolError } from '@ccmcp/core';
import { nearVerbs } from './english/near.ts';
import type { Reading } from './english/readings.ts';
import { limits } from '../limits.ts';

/** Nothing longer can be a verb or a form of one. */
export const longestWord: number = limits.miniagent.word.value;

/** The error for a word that we don't know; names known verbs that are spelled like it. */
export function unknownWord(word: string): ToolError {
  const [head = ''] = word.split(' ');
  const near = nearVerbs(head);
  const hint = near.length > 0 ? `Did you mean ${listed(near)}?` : 'No known verb is spelled like it.';
  return new ToolError(`Unknown verb: "${word}". ${hint}`);
}

/** The error where a base form was wanted and another form was given. */
export function notBaseForm(word: string, readings: readonly Reading[]): ToolError {
  const bases = [...new Set(readings.map(({ verb }) => verb))];
  return new ToolError(`"${word}" is not a base form but a form of ${listed(bases)}. Give the base form.`);
}

/** Words in quotes: `"a", "b" or "c"`. */
function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

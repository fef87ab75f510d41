import { ToolError } from '@ccmcp/core';
import { isHelper } from './english/clause.ts';
import { misformedVerbs } from './english/misformed.ts';
import { nearVerbs } from './english/near.ts';
import { type Place, placesOf } from './english/places.ts';
import type { Reading } from './english/readings.ts';
import { findVerb } from './english/verb.ts';

/** The error for a word that we don't know; names the verb that it is a wrong form of, or verbs that are spelled like it. */
export function unknownWord(word: string): ToolError {
  const words = word.split(' ');
  const meant = words.find((each) => !isHelper(each)) ?? words[0] ?? '';
  const [place] = words.length > 1 ? placesOf(meant) : [];
  return new ToolError(`Unknown verb: "${word}". ${place === undefined ? hintAt(meant) : hintAtWords(meant, place)}`);
}

/** What to say where a verb is known, but not with the words around it. */
function hintAtWords(word: string, { base }: Place): string {
  if (word === base) return `"${word}" is known, but not with these words.`;
  return `"${word}" is a form of "${base}", but these words make no tense of it.`;
}

function hintAt(word: string): string {
  const misformed = misformedVerbs(word);
  const [only = ''] = misformed;
  if (misformed.length === 1) return `Did you mean ${listed(misformed)}? ${formsOf(only)}`;
  const near = misformed.length > 0 ? misformed : nearVerbs(word);
  return near.length > 0 ? `Did you mean ${listed(near)}?` : 'No known verb is spelled like it.';
}

function formsOf(base: string): string {
  const verb = findVerb(base);
  if (verb === undefined) return '';
  const forms = [verb.thirdPerson, verb.past, verb.participle, verb.gerund].map(([form]) => form?.text);
  return `Its forms are ${[base, ...forms].join(', ')}.`;
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

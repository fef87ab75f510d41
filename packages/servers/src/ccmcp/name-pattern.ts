import { FileError } from './file-error.ts';
import { limits } from '../limits.ts';

const maxLength = limits.ccmcp.namePattern.value;
const maxAlternatives = limits.ccmcp.nameAlternatives.value;

/** Whether a file is meant, by the names on the way to it from the folder that is searched. */
export type NamePattern = (names: readonly string[]) => boolean;

/**
 * Reads a pattern for names: `*` is any text, `?` one character, `{a,b}` either. A pattern with a slash is for the whole
 * way from the folder that is searched, with `**` for any folders; one without is for the last name.
 */
export function namePattern(pattern: string, { ignoreCase }: { ignoreCase: boolean }): NamePattern {
  if (pattern.length > maxLength) throw new FileError(`The name pattern is longer than ${maxLength} characters`);
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const alternatives = alternativesOf(fold(pattern)).map((one) => one.split('/').filter((part) => !/^\.?$/.test(part)));
  const isForWay = pattern.includes('/');
  return (names) => {
    const given = (isForWay ? names : names.slice(-1)).map(fold);
    return alternatives.some((parts) => matchesWay(parts, given));
  };
}

function alternativesOf(pattern: string): string[] {
  const [, before = '', choices, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  const all = choices.split(',').flatMap((choice) => alternativesOf(`${before}${choice}${after}`));
  if (all.length > maxAlternatives)
    throw new FileError(`The name pattern has more than ${maxAlternatives} alternatives`);
  return all;
}

/** Any number of names for `**`, one for any other part. */
function matchesWay(parts: readonly string[], names: readonly string[]): boolean {
  return matches(parts, names, { many: (part) => part === '**', one: matchesName });
}

function matchesName(part: string, name: string): boolean {
  return matches(Array.from(part), Array.from(name), {
    many: (character) => character === '*',
    one: (character, found) => character === '?' || character === found,
  });
}

interface Wildcards {
  many(part: string): boolean;
  one(part: string, found: string): boolean;
}

/** Only the last "many" is ever tried anew, so that the time is bounded by the product of both lengths. */
function matches(parts: readonly string[], found: readonly string[], { many, one }: Wildcards): boolean {
  let part = 0;
  let at = 0;
  let retry: { part: number; at: number } | undefined;
  while (at < found.length) {
    const current = parts[part];
    if (current !== undefined && many(current)) {
      retry = { part, at };
      part += 1;
    } else if (current !== undefined && one(current, found[at] as string)) {
      part += 1;
      at += 1;
    } else if (retry !== undefined) {
      retry.at += 1;
      part = retry.part + 1;
      at = retry.at;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(many);
}

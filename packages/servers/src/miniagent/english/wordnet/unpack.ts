import { packedVerbs } from './verbs.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The words of a list in which each is written as what differs from the one before it. */
export function unpack(packed: string): string[] {
  let word = '';
  return Array.from(packed.matchAll(/([0-9A-Z])([^0-9A-Z\s]*)/g), ([, shared = '0', rest = '']) => {
    word = word.slice(0, digits.indexOf(shared)) + rest;
    return word;
  });
}

/** Every verb of one word that WordNet lists, with and without hyphens. */
export function wordnetVerbs(): string[] {
  return unpack(packedVerbs);
}

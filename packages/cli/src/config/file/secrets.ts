import { type Leaf, type Syntax, applyEdits } from './syntax.ts';

const containers = new Set(['env', 'environment', 'envs', 'headers', 'http_headers']);
const secretName = /token|secret|passw|api[-_]?key|authorization|credential|cookie/i;
const secretPrefix = /^(?:bearer |basic |sk-|gh[oprsu]_|github_pat_|xox[a-z]-)/i;
/** A reference to a value, in the syntax of clients. */
const reference = /^(?:\w+ )?(?:\$\{[^}]*\}|\{env:\w+\}|\$\w+)$/;
/** A URL with a password, or with a query, which often contains keys. */
const guardedAddress = /^\w+:\/\/(?:[^/]*@|[^?]*\?)/;
// Bounded, because it is searched at every word: a line may have a million of them.
const looseAssignment =
  /((?:token|secret|passw|api[-_]?key|authorization)[\w-]{0,64}["']?\s{0,32}[:=]\s{0,32})("[^"]*"|'[^']*'|\S+)/gi;

/** Masks values that may be secret, in comments too. */
export function maskSecrets(syntax: Syntax, text: string): string {
  const all = syntax.leaves(text);
  const secret = all.filter((leaf, index) => isSecret(leaf, all[index - 1]));
  const edits = secret.map(({ start, end }) => ({ start, end, text: '"***"' }));
  return applyEdits(text, edits)
    .split('\n')
    .map((line) => (/^\s*(?:#|\/\/|\/\*)/.test(line) ? line.replaceAll(looseAssignment, '$1"***"') : line))
    .join('\n');
}

/** Masks the values of an entry in a sentence. */
export function maskValues(sentence: string, values: readonly string[]): string {
  return values.filter((value) => value.length > 3).reduce((rest, value) => rest.replaceAll(value, '***'), sentence);
}

function isSecret({ path, value }: Leaf, before: Leaf | undefined): boolean {
  if (typeof value !== 'string' || value === '' || reference.test(value)) return false;
  if (path.slice(0, -1).some((key) => containers.has(String(key)))) return true;
  const key = path.findLast((each) => typeof each === 'string');
  if (secretName.test(String(key)) || secretPrefix.test(value) || guardedAddress.test(value)) return true;
  if (typeof path.at(-1) !== 'number') return false;
  const [option = '', given] = value.split('=', 2);
  if (given !== undefined) return option.startsWith('-') && secretName.test(option);
  return isOptionBefore(path, before) && secretName.test(String(before?.value));
}

function isOptionBefore(path: Leaf['path'], before: Leaf | undefined): boolean {
  const isNeighbour = before !== undefined && before.path.slice(0, -1).join('\n') === path.slice(0, -1).join('\n');
  return isNeighbour && String(before.value).startsWith('-');
}

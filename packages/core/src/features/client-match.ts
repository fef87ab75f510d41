import type { Implementation } from '../protocol/identity.ts';

/**
 * Selects clients by what they say of themselves. A client can claim any name: use it for convenience, never for
 * access.
 */
export interface ClientMatch {
  /** The name in `clientInfo`, in lower case. `visual studio code` is `Visual Studio Code - Insiders` too. */
  readonly name: string;
  /** The first version that matches, and the first that no longer does. Default: all. */
  readonly from?: string;
  readonly before?: string;
}

/** True if a client matches. One whose version can't be parsed matches any range. */
export function matchesClient(
  client: Partial<Implementation> | undefined,
  { name, from, before }: ClientMatch,
): boolean {
  const { name: given, version } = client ?? {};
  if (typeof given !== 'string' || given.length > maxLength) return false;
  const own = given.toLowerCase();
  if (own !== name && !own.startsWith(`${name} `)) return false;
  const numbers = parseVersion(version);
  if (numbers === undefined) return true;
  return (from === undefined || compare(numbers, from) >= 0) && (before === undefined || compare(numbers, before) < 0);
}

const maxLength = 200;

function parseVersion(version: unknown): number[] | undefined {
  const found = typeof version === 'string' ? /^v?(\d{1,9}(?:\.\d{1,9}){0,3})/.exec(version.slice(0, maxLength)) : null;
  return found?.[1]?.split('.').map(Number);
}

function compare(version: readonly number[], other: string): number {
  const numbers = parseVersion(other) ?? [];
  for (let at = 0; at < Math.max(version.length, numbers.length); at++) {
    const difference = (version[at] ?? 0) - (numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

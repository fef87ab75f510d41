import type { AccessRule } from '../../server/define/access-rule.ts';
import type { Scopes } from '../../server/define/feature-options.ts';

/** An item that may require scopes. */
export interface ScopedItem {
  readonly scopes?: Scopes<never>;
}

/** Defined by RFC 6749: printable ASCII without spaces, quotation marks and backslashes. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** Maximum number of scopes of one operation, and of one challenge. */
export const maxScopes = 32;
/** Maximum characters of a scope. */
const longestScope = 256;

/** Creates the access rule of an entry, if it has scopes. `title` names it in errors. */
export function scopeRule(title: string, item: ScopedItem): AccessRule | undefined {
  const { scopes } = item;
  if (scopes === undefined) return undefined;
  if (typeof scopes !== 'function') {
    const fixed = validateScopes(title, scopes);
    return { fixed, secret: false, of: () => fixed };
  }
  return {
    fixed: undefined,
    secret: false,
    of(...args) {
      // Called as a method of the item: it may be an instance of a class.
      const worked = (item as { scopes(...args: readonly unknown[]): unknown }).scopes(...args);
      return worked === undefined ? undefined : validateScopes(title, worked);
    },
  };
}

/** Creates the access rule of a resource or template, which may be secret. */
export function resourceRule(title: string, item: ScopedItem & { readonly secret?: boolean }): AccessRule | undefined {
  const { secret = false } = item;
  if (typeof secret !== 'boolean') {
    throw new TypeError(`${title}: "secret" must be true or false; "scopes" says who may use it`);
  }
  const rule = scopeRule(title, item);
  if (!secret) return rule;
  if (rule === undefined) {
    throw new TypeError(`${title}: "secret" needs "scopes", which says who may use it`);
  }
  return { ...rule, secret };
}

/** Validates a list of scopes. Throws a `TypeError` with advice if it is invalid. */
export function validateScopes(title: string, scopes: unknown): readonly string[] {
  const reject = (problem: string): never => {
    throw new TypeError(`${title}: ${problem}`);
  };
  if (!Array.isArray(scopes))
    return reject(`"scopes" must be a list${exampleOf(scopes)}, or a function that gives one`);
  if (scopes.length > maxScopes) return reject(`"scopes" has ${scopes.length} entries: ${maxScopes} is the most`);
  for (const scope of scopes as unknown[]) {
    if (typeof scope !== 'string' || !scopeToken.test(scope) || scope.length > longestScope) reject(problemOf(scope));
    if (scope === 'offline_access') {
      reject('"offline_access" asks for a refresh token and protects nothing: leave it out of "scopes"');
    }
  }
  return Object.freeze([...new Set(scopes as string[])]);
}

function exampleOf(scopes: unknown): string {
  return typeof scopes === 'string' ? `, such as ${JSON.stringify(scopes.slice(0, 100).split(' '))}` : '';
}

function problemOf(scope: unknown): string {
  const shown = typeof scope === 'string' ? JSON.stringify(scope.slice(0, 100)) : 'an entry of "scopes"';
  if (typeof scope === 'string' && scope.includes(' ')) {
    return `${shown} is no scope: write one entry for each, without blanks`;
  }
  return (
    `${shown} is no scope: use 1 to ${longestScope} printable ASCII characters, ` +
    'without blanks, quotation marks and backslashes, such as "notes:write"'
  );
}

/** The union of several lists of scopes; undefined if none of them requires any. */
export function allScopes(lists: Iterable<readonly string[] | undefined>): string[] | undefined {
  let all: Set<string> | undefined;
  for (const list of lists) {
    if (list === undefined) continue;
    all ??= new Set();
    for (const scope of list) all.add(scope);
  }
  return all === undefined ? undefined : [...all];
}

import { limits } from '../../limits.ts';

/**
 * What a caller must have been granted: all of these, or what a function makes of the arguments, where undefined means that
 * everybody may. An empty list is for everybody who says who they are.
 */
export type Scopes<Args extends readonly unknown[]> =
  | readonly string[]
  | ((...args: Args) => readonly string[] | undefined);

/** What something that is offered demands of its callers. */
export interface ScopeRule {
  /** The same for each call; undefined where that depends on the call. */
  readonly fixed: readonly string[] | undefined;
  /** True where the thing is not there for whoever lacks them. */
  readonly secret: boolean;
  /** What a call with these arguments, which have been checked, demands. Throws a `TypeError` where that can't be told. */
  of(...args: readonly unknown[]): readonly string[] | undefined;
}

interface Demanding {
  readonly scopes?: Scopes<never>;
}

/** As RFC 6749 has it: printable ASCII without blanks, quotation marks and backslashes. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const maxScopes = limits.server.scopes.value;
const longestScope = limits.server.scopeLength.value;

/** Makes the rule of something that is offered, where it has one. `title` names it in errors. */
export function scopeRule(title: string, item: Demanding): ScopeRule | undefined {
  const { scopes } = item;
  if (scopes === undefined) return undefined;
  if (typeof scopes !== 'function') {
    const fixed = checkedScopes(title, scopes);
    return { fixed, secret: false, of: () => fixed };
  }
  return {
    fixed: undefined,
    secret: false,
    of(...args) {
      // Asked of the item itself: it may be an object of a class.
      const worked = (item as { scopes(...args: readonly unknown[]): unknown }).scopes(...args);
      return worked === undefined ? undefined : checkedScopes(title, worked);
    },
  };
}

/** The same of something that can be read, which may be secret. */
export function readableRule(title: string, item: Demanding & { readonly secret?: boolean }): ScopeRule | undefined {
  const { secret = false } = item;
  if (typeof secret !== 'boolean') {
    throw new TypeError(`${title}: "secret" must be true or false; who may know of it is for "scopes" to say`);
  }
  const rule = scopeRule(title, item);
  if (!secret) return rule;
  if (rule === undefined) {
    throw new TypeError(`${title}: "secret" means nothing without "scopes", which say who may know of it`);
  }
  return { ...rule, secret };
}

/** Takes a list of scopes. Throws a `TypeError` that says what to do where it is none. */
export function checkedScopes(title: string, scopes: unknown): readonly string[] {
  const refuse = (problem: string): never => {
    throw new TypeError(`${title}: ${problem}`);
  };
  if (!Array.isArray(scopes))
    return refuse(`"scopes" must be a list${exampleOf(scopes)}, or a function that gives one`);
  if (scopes.length > maxScopes) return refuse(`"scopes" has ${scopes.length} entries: ${maxScopes} is the most`);
  for (const scope of scopes as unknown[]) {
    if (typeof scope !== 'string' || !scopeToken.test(scope) || scope.length > longestScope) refuse(problemOf(scope));
    if (scope === 'offline_access') {
      refuse('"offline_access" asks for a refresh token and protects nothing: leave it out of "scopes"');
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

/** All scopes of several lists, each once; undefined where none of them demands anything. */
export function allScopes(lists: Iterable<readonly string[] | undefined>): string[] | undefined {
  let all: Set<string> | undefined;
  for (const list of lists) {
    if (list === undefined) continue;
    all ??= new Set();
    for (const scope of list) all.add(scope);
  }
  return all === undefined ? undefined : [...all];
}

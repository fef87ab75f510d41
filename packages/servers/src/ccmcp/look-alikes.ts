/** Names that every JavaScript object has: a program that keeps tools in an object could take them for something else. */
const inherited: ReadonlySet<string> = new Set(
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].map((name) => name.toLowerCase()),
);

/** Characters of tool names, after case is set aside, that a reader takes for one another. */
const readAs: ReadonlyMap<string, string> = new Map([
  ['1', 'l'],
  ['i', 'l'],
  ['0', 'o'],
  ['5', 's'],
  ['-', '_'],
  ['.', '_'],
  ['rn', 'm'],
  ['vv', 'w'],
]);

/** What names that a reader takes for one another have in common; the names consist of A-Z a-z 0-9 _ . - */
export function skeletonOf(name: string): string {
  return name.toLowerCase().replace(/rn|vv|[1i05.-]/g, (found) => readAs.get(found) ?? found);
}

/** True for a name that every JavaScript object has, in any case. */
export function isInherited(name: string): boolean {
  return inherited.has(name.toLowerCase());
}

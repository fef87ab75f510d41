import { literalKeywords, mapKeywords } from './keyword-sets.ts';
import { formatPointer, quoteShort } from './problems.ts';

/** The keyword that marks an argument to be repeated in a header. */
export const headerKeyword = 'x-mcp-header';

/** An argument that is repeated in a header, and its path in the arguments. */
export interface MirroredArgument {
  /** As the author writes it. */
  readonly name: string;
  /** The name of the header, in lower case. */
  readonly header: string;
  readonly path: readonly string[];
}

interface Search {
  readonly found: Map<string, MirroredArgument>;
  /** The path from the root to the current schema. */
  readonly trail: string[];
}

const types: readonly unknown[] = ['string', 'integer', 'boolean'];
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const longestTrail = 128;

/** Finds the arguments that are marked in a tool's input schema. Throws a `TypeError` if a mark is wrong. */
export function mirroredArguments(schema: unknown): MirroredArgument[] {
  const found = new Map<string, MirroredArgument>();
  search({ found, trail: [] }, schema);
  return [...found.values()];
}

function search(walk: Search, node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if (walk.trail.length > longestTrail) throw new TypeError('it is nested too deeply');
  if (!Array.isArray(node) && Object.hasOwn(node, headerKeyword)) note(walk, node as Record<string, unknown>);
  for (const [keyword, value] of Object.entries(node)) {
    if (literalKeywords.has(keyword) || keyword === headerKeyword) continue;
    walk.trail.push(keyword);
    if (mapKeywords.has(keyword)) searchMembers(walk, value);
    else search(walk, value);
    walk.trail.pop();
  }
}

function searchMembers(walk: Search, members: unknown): void {
  for (const [name, member] of Object.entries(Object(members) as object)) {
    walk.trail.push(name);
    search(walk, member);
    walk.trail.pop();
  }
}

function note({ found, trail }: Search, owner: Record<string, unknown>): void {
  const name = owner[headerKeyword];
  const path = argumentAt(trail);
  const wrong = (what: string): TypeError =>
    new TypeError(`"${headerKeyword}" at ${quoteShort(`#${formatPointer(trail)}`)} ${what}`);
  if (path === undefined) {
    throw wrong('stands where no argument is: put it on one that is reached through "properties" alone');
  }
  if (typeof name !== 'string' || !token.test(name)) {
    throw wrong(`is not the name of a header: use letters, digits and "-"`);
  }
  if (!types.includes(owner.type)) {
    throw wrong('stands at an argument whose type is not "string", "integer" or "boolean": only those fit in a header');
  }
  const header = `mcp-param-${name.toLowerCase()}`;
  if (found.has(header)) throw wrong('names the same header as another one, whatever the case: choose another name');
  found.set(header, { name: `Mcp-Param-${name}`, header, path });
}

/** The argument at a path; undefined if the path contains anything but properties. */
function argumentAt(trail: readonly string[]): string[] | undefined {
  const names = trail.filter((_, index) => index % 2 === 1);
  const isArgument = names.length > 0 && names.length * 2 === trail.length;
  return isArgument && trail.every((step, index) => index % 2 === 1 || step === 'properties') ? names : undefined;
}

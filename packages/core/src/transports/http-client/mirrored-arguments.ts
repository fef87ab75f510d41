import { isObject } from '../../jsonrpc/message.ts';

/** An argument that is repeated in a header, and where it stands among the arguments. */
export interface MirroredArgument {
  header: string;
  path: readonly string[];
}

const mark = 'x-mcp-header';
const types = new Set<unknown>(['string', 'integer', 'boolean']);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Keywords whose values are no schemas. */
const literals = new Set(['const', 'enum', 'default', 'examples']);

/** Keywords whose members have names of the author's. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

const deepest = 64;

/** Finds the marks in a tool's input schema, or says what is wrong with one. */
export function mirroredArguments(schema: unknown): MirroredArgument[] | string {
  const found: MirroredArgument[] = [];
  const seen = new Set<string>();
  let problem: string | undefined;

  function note(owner: Record<string, unknown>, path: readonly string[] | undefined): void {
    const header = owner[mark];
    if (typeof header !== 'string' || !token.test(header)) problem = `"${mark}" is not the name of a header`;
    else if (path === undefined || path.length === 0) problem = `"${mark}" stands where no argument is`;
    else if (!types.has(owner.type)) problem = `"${mark}" stands at an argument that is no string, integer or boolean`;
    else if (seen.has(header.toLowerCase())) problem = `"${mark}" names the same header twice`;
    else {
      seen.add(header.toLowerCase());
      found.push({ header: `mcp-param-${header.toLowerCase()}`, path });
    }
  }

  /** `path` is undefined below whatever is not simply a property of the arguments. */
  function search(node: unknown, path: readonly string[] | undefined, depth: number): void {
    if (problem !== undefined) return;
    if (depth > deepest) {
      problem = 'its schema is nested too deeply';
      return;
    }
    if (Array.isArray(node)) {
      for (const item of node) search(item, undefined, depth + 1);
      return;
    }
    if (!isObject(node)) return;
    if (Object.hasOwn(node, mark)) note(node, path);
    for (const [keyword, value] of Object.entries(node)) {
      if (literals.has(keyword) || keyword === mark) continue;
      if (!named.has(keyword) || !isObject(value)) {
        search(value, undefined, depth + 1);
        continue;
      }
      for (const [name, member] of Object.entries(value)) {
        search(member, keyword === 'properties' && path !== undefined ? [...path, name] : undefined, depth + 1);
      }
    }
  }

  search(schema, [], 0);
  return problem ?? found;
}

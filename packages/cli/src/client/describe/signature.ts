import { safeJson } from '../../terminal/print.ts';
import { alternativesOf, propertiesOf, requiredOf, resolveRef, type Schema, toSchema } from './schema.ts';

const maxDepth = 3;
const maxListed = 8;

/** A tool as a function signature, such as `add(a: number, b: number) -> { sum: number }`. */
export function toolSignature(tool: { name: string; inputSchema?: unknown; outputSchema?: unknown }): string {
  const input = toSchema(tool.inputSchema);
  const parameters = members(input, input, { depth: 0, most: Number.POSITIVE_INFINITY }).join(', ');
  const output = tool.outputSchema === undefined ? undefined : toSchema(tool.outputSchema);
  return `${tool.name}(${parameters})${output === undefined ? '' : ` -> ${typeName(output, output, 0)}`}`;
}

/** A prompt as a signature, such as `greet(name, style?)`. */
export function promptSignature(prompt: {
  name: string;
  arguments?: readonly { name: string; required?: boolean }[];
}): string {
  const parameters = (prompt.arguments ?? []).map(({ name, required }) => (required === true ? name : `${name}?`));
  return `${prompt.name}(${parameters.join(', ')})`;
}

/** Formats at most `most` members: schemas may be recursive. */
function members(schema: Schema, root: Schema, { depth, most }: { depth: number; most: number }): string[] {
  const required = new Set(requiredOf(schema));
  const all = [...propertiesOf(schema)];
  // Required parameters come first, as in a function.
  const ordered = [...all.filter(([name]) => required.has(name)), ...all.filter(([name]) => !required.has(name))];
  return ordered.slice(0, most).map(([name, member]) => {
    const value = member.default === undefined ? '' : ` = ${safeJson(member.default)}`;
    return `${name}${required.has(name) ? '' : '?'}: ${typeName(member, root, depth + 1)}${value}`;
  });
}

/** A type as TypeScript would write it, truncated if it is deep. */
export function typeName(given: Schema, root: Schema, depth: number): string {
  const schema = resolveRef(given, root);
  if (schema.const !== undefined) return safeJson(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(safeJson));
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) {
    const shown = depth > maxDepth ? [] : alternatives.slice(0, maxListed + 1);
    return shown.length === 0 ? 'any' : union(shown.map((one) => typeName(one, root, depth + 1)));
  }
  const [only = schema] = alternatives;
  switch (only.type) {
    case 'array':
      return arrayName(only, root, depth);
    case 'object':
      return objectName(only, root, depth);
    default:
      if (typeof only.type === 'string') return only.type;
      return only.properties === undefined ? 'any' : objectName(only, root, depth);
  }
}

function arrayName(schema: Schema, root: Schema, depth: number): string {
  const item = depth >= maxDepth ? 'any' : typeName(toSchema(schema.items), root, depth + 1);
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function objectName(schema: Schema, root: Schema, depth: number): string {
  const inside = depth >= maxDepth ? [] : members(schema, root, { depth, most: maxListed + 1 });
  if (inside.length === 0) return 'object';
  return `{ ${inside.slice(0, maxListed).join(', ')}${inside.length > maxListed ? ', …' : ''} }`;
}

function union(names: readonly string[]): string {
  const different = [...new Set(names)];
  const listed = different.slice(0, maxListed).join(' | ');
  return different.length > maxListed ? `${listed} | …` : listed;
}

import { readdirSync } from 'node:fs';
import { safeJson } from '../../terminal/print.ts';
import { alternativesOf, propertiesOf, resolveRef, type Schema, toSchema } from '../describe/schema.ts';
import { quoteWord } from '../../util/shell-words.ts';

/** More can't be chosen from. */
const most = 200;

/** Completes an argument of a tool: names that are left, then the values of the schema. */
export function argumentCandidates(
  schema: Schema,
  { given, last }: { given: readonly string[]; last: string },
): string[] {
  const properties = propertiesOf(schema);
  const [, name, operator = '', value = ''] = /^([^=]*?)(:?=)(.*)$/s.exec(last) ?? [];
  if (name === undefined) {
    const lists = [...properties].filter(([, each]) => resolveRef(each, schema).type === 'array').map(([each]) => each);
    return remainingNames([...properties.keys()], given, lists);
  }
  if (value.startsWith('@')) return fileCandidates(`${name}${operator}@`, value.slice(1));
  const values = valuesOf(properties.get(name) ?? {}, schema);
  return values.map(
    (each) => `${name}${operator}${operator === '=' && typeof each === 'string' ? quoteWord(each) : safeJson(each)} `,
  );
}

/** The values that a schema lists. */
function valuesOf(given: Schema, root: Schema): unknown[] {
  const schema = resolveRef(given, root);
  const { const: only, enum: listed, type, items } = schema;
  if (only !== undefined) return [only];
  if (Array.isArray(listed)) return listed.slice(0, most);
  if (type === 'boolean') return [true, false];
  if (type === 'array') return shallowValues(toSchema(items), root);
  const alternatives = alternativesOf(schema);
  return alternatives.length < 2 ? [] : alternatives.slice(0, most).flatMap((one) => shallowValues(one, root));
}

/** A schema that leads to itself must not be followed for ever. */
function shallowValues(given: Schema, root: Schema): unknown[] {
  const { const: only, enum: listed, type } = resolveRef(given, root);
  if (only !== undefined) return [only];
  return Array.isArray(listed) ? listed.slice(0, most) : type === 'boolean' ? [true, false] : [];
}

/** Names that may still be given, with the sign that a value follows; those of lists may be given again. */
export function remainingNames(
  names: readonly string[],
  given: readonly string[],
  again: readonly string[] = [],
): string[] {
  const isGiven = (name: string): boolean =>
    given.some((pair) => pair.startsWith(`${name}=`) || pair.startsWith(`${name}:=`));
  return names.filter((name) => again.includes(name) || !isGiven(name)).map((name) => `${name}=`);
}

/** Files and folders that match the path, each prefixed with `before`. */
export function fileCandidates(before: string, path: string): string[] {
  const slash = path.lastIndexOf('/') + 1;
  try {
    return readdirSync(path.slice(0, slash) || '.', { withFileTypes: true })
      .filter(({ name }) => name.startsWith(path.slice(slash)) && !/[\s"'\\]/.test(name))
      .filter(({ name }) => !name.startsWith('.') || path.slice(slash).startsWith('.'))
      .slice(0, most)
      .map((entry) => `${before}${path.slice(0, slash)}${entry.name}${entry.isDirectory() ? '/' : ' '}`);
  } catch {
    return [];
  }
}

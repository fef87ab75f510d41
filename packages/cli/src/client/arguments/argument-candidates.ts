import { readdirSync } from 'node:fs';
import { shownJson } from '../../terminal/print.ts';
import { alternativesOf, propertiesOf, resolved, type Schema, schemaOf } from '../describe/schema.ts';
import { quotedWord } from '../../util/shell-words.ts';

/** More can't be chosen from. */
const most = 200;

/** What the next argument of a tool may be: names that were not given, and once one is named, the values of its schema. */
export function argumentCandidates(
  schema: Schema,
  { given, last }: { given: readonly string[]; last: string },
): string[] {
  const properties = propertiesOf(schema);
  const [, name, operator = '', value = ''] = /^([^=]*?)(:?=)(.*)$/s.exec(last) ?? [];
  if (name === undefined) {
    const lists = [...properties].filter(([, each]) => resolved(each, schema).type === 'array').map(([each]) => each);
    return notGiven([...properties.keys()], given, lists);
  }
  if (value.startsWith('@')) return fileCandidates(`${name}${operator}@`, value.slice(1));
  const values = valuesOf(properties.get(name) ?? {}, schema);
  return values.map(
    (each) => `${name}${operator}${operator === '=' && typeof each === 'string' ? quotedWord(each) : shownJson(each)} `,
  );
}

/** The values that a schema lists. */
function valuesOf(given: Schema, root: Schema): unknown[] {
  const schema = resolved(given, root);
  const { const: only, enum: listed, type, items } = schema;
  if (only !== undefined) return [only];
  if (Array.isArray(listed)) return listed.slice(0, most);
  if (type === 'boolean') return [true, false];
  if (type === 'array') return shallow(schemaOf(items), root);
  const alternatives = alternativesOf(schema);
  return alternatives.length < 2 ? [] : alternatives.slice(0, most).flatMap((one) => shallow(one, root));
}

/** A schema that leads to itself must not be followed for ever. */
function shallow(given: Schema, root: Schema): unknown[] {
  const { const: only, enum: listed, type } = resolved(given, root);
  if (only !== undefined) return [only];
  return Array.isArray(listed) ? listed.slice(0, most) : type === 'boolean' ? [true, false] : [];
}

/** Names that may still be given, with the sign that a value follows; those of lists may be given again. */
export function notGiven(names: readonly string[], given: readonly string[], again: readonly string[] = []): string[] {
  const isGiven = (name: string): boolean =>
    given.some((pair) => pair.startsWith(`${name}=`) || pair.startsWith(`${name}:=`));
  return names.filter((name) => again.includes(name) || !isGiven(name)).map((name) => `${name}=`);
}

/** Files and folders whose path begins so, after what stands before the path. */
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

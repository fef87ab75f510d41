import { safeJson } from '../../terminal/print.ts';
import { alternativesOf, propertiesOf, requiredOf, resolveRef, type Schema, toSchema } from './schema.ts';
import { typeName } from './signature.ts';

/** A value of a schema, described for users. */
export interface SchemaRow {
  /** Its path, such as `where.tags[].name`. */
  path: string;
  type: string;
  isRequired: boolean;
  /** Its description, values and bounds, line by line. */
  about: string[];
}

/** Limits for schemas of a server, which may be deep or recursive. */
const maxDepth = 8;
const maxRows = 500;

interface Walk {
  root: Schema;
  rows: SchemaRow[];
  /** The enclosing schemas: a reference back to one of them is not followed. */
  within: readonly Schema[];
}

/** All members that an object's schema describes, those inside others after them. */
export function schemaRows(schema: Schema): SchemaRow[] {
  const walk: Walk = { root: schema, rows: [], within: [] };
  addMembers(schema, '', walk);
  return walk.rows;
}

/** Merges `allOf` into the schema. */
function mergeAllOf(given: Schema, root: Schema): Schema {
  const schema = { ...resolveRef(given, root), ...annotationsOf(given) };
  if (!Array.isArray(schema.allOf)) return schema;
  const parts = schema.allOf.slice(0, 20).map((part) => resolveRef(toSchema(part), root));
  const all = [schema, ...parts];
  const properties = Object.assign({}, ...all.map((part) => toSchema(part.properties))) as Schema;
  return {
    ...Object.assign({}, ...parts, schema),
    ...(Object.keys(properties).length > 0 && { properties, required: all.flatMap(requiredOf) }),
    allOf: undefined,
  };
}

/** Annotations beside a `$ref` override those of its target. */
function annotationsOf({ description, title, default: value }: Schema): Schema {
  return {
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(value !== undefined && { default: value }),
  };
}

/** Adds rows for the members of an object or of the items of a list, recursively. */
function addMembers(given: Schema, path: string, walk: Walk): void {
  const source = resolveRef(given, walk.root);
  if (walk.within.length > maxDepth || walk.within.includes(source)) return;
  const deeper = { ...walk, within: [...walk.within, source] };
  const schema = mergeAllOf(given, walk.root);
  const required = new Set(requiredOf(schema));
  for (const [name, member] of propertiesOf(schema)) {
    add(member, { path: path === '' ? name : `${path}.${name}`, isRequired: required.has(name) }, deeper);
  }
  const { additionalProperties: others, prefixItems, items } = schema;
  if (typeof others === 'object' && others !== null) {
    add(toSchema(others), { path: path === '' ? '*' : `${path}.*`, isRequired: false }, deeper);
  }
  const places = Array.isArray(prefixItems) ? prefixItems.slice(0, 20) : [];
  for (const [index, item] of places.entries()) {
    add(toSchema(item), { path: `${path}[${index}]`, isRequired: false }, deeper);
  }
  if (items !== undefined) addItems(toSchema(items), `${path}[]`, deeper);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) for (const one of alternatives.slice(0, 20)) addMembers(one, path, deeper);
}

/** Items get a row only if there is more to describe than their type. */
function addItems(items: Schema, path: string, walk: Walk): void {
  const isPlain = describeValue(mergeAllOf(items, walk.root), walk.root).length === 0;
  if (isPlain) addMembers(items, path, walk);
  else add(items, { path, isRequired: false }, walk);
}

function add(member: Schema, { path, isRequired }: Pick<SchemaRow, 'path' | 'isRequired'>, walk: Walk): void {
  if (walk.rows.length >= maxRows) return;
  const schema = mergeAllOf(member, walk.root);
  walk.rows.push({ path, type: typeSummary(schema, walk.root), isRequired, about: describeValue(schema, walk.root) });
  addMembers(member, path, walk);
}

/** A type without the parts that have their own rows. */
function typeSummary(given: Schema, root: Schema, depth = 0): string {
  const schema = mergeAllOf(given, root);
  if (Array.isArray(schema.enum) || schema.const !== undefined) return simpleType(schema);
  const alternatives = depth > 3 ? [] : alternativesOf(schema).slice(0, 20);
  if (alternatives.length > 1) {
    return [...new Set(alternatives.map((one) => typeSummary(one, root, depth + 1)))].join(' | ');
  }
  if (schema.type === 'array' && depth <= 3) {
    const item = schema.items === undefined ? 'any' : typeSummary(toSchema(schema.items), root, depth + 1);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  return schema.properties === undefined ? typeName(schema, root, 2) : 'object';
}

function simpleType({ type, enum: values, const: only }: Schema): string {
  if (typeof type === 'string') return type;
  const all = Array.isArray(values) ? values : [only];
  const kinds = new Set(all.map((value) => (value === null ? 'null' : typeof value)));
  return [...kinds].join(' | ');
}

function describeValue(schema: Schema, root: Schema): string[] {
  const { title, description, enum: values, const: only, default: value, examples } = schema;
  const named = titledValues(schema, root);
  const texts = [title, description].filter((text): text is string => typeof text === 'string' && text.trim() !== '');
  const facts = [
    Array.isArray(values) && `one of ${values.map(json).join(', ')}`,
    only !== undefined && `always ${json(only)}`,
    named.length > 0 && `one of ${named.join(', ')}`,
    value !== undefined && `default: ${json(value)}`,
    ...describeBounds(schema),
    Array.isArray(examples) && examples.length > 0 && `for example ${examples.slice(0, 5).map(json).join(', ')}`,
    schema.deprecated === true && 'deprecated',
  ];
  const lines = texts.flatMap((text) => text.trim().split('\n'));
  return [...lines, ...facts.filter((line): line is string => typeof line === 'string')];
}

/** Enum values that are written as alternatives with titles. */
function titledValues(schema: Schema, root: Schema): string[] {
  const alternatives = alternativesOf(schema).map((one) => resolveRef(one, root));
  if (alternatives.length < 2 || alternatives.some((one) => one.const === undefined)) return [];
  return alternatives.map(({ const: value, title, description }) => {
    const more = [title, description].find((text) => typeof text === 'string');
    return more === undefined ? json(value) : `${json(value)} (${more})`;
  });
}

/** The constraints of a value, such as "at least 1, at most 20" or "format: date". */
export function describeBounds(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const { minLength, maxLength, pattern, format, minItems, maxItems, uniqueItems } = schema;
  const { minProperties, maxProperties, contentEncoding, contentMediaType } = schema;
  const facts = [
    typeof format === 'string' && `format: ${format}`,
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minProperties, maxProperties, 'members'),
    range(minimum, maximum),
    typeof above === 'number' && `more than ${above}`,
    typeof below === 'number' && `less than ${below}`,
    typeof multipleOf === 'number' && `a multiple of ${multipleOf}`,
    typeof pattern === 'string' && `matches ${pattern}`,
    uniqueItems === true && 'no item twice',
    typeof contentMediaType === 'string' && `contains ${contentMediaType}`,
    typeof contentEncoding === 'string' && `encoded as ${contentEncoding}`,
  ];
  return facts.filter((line): line is string => typeof line === 'string');
}

function range(least: unknown, most: unknown, what = ''): string | false {
  const words = [
    ...(typeof least === 'number' ? [`at least ${least}`] : []),
    // Some libraries add the range of safe integers to every integer.
    ...(typeof most === 'number' && most < Number.MAX_SAFE_INTEGER ? [`at most ${most}`] : []),
  ].filter((word) => word !== `at least ${Number.MIN_SAFE_INTEGER}`);
  const unit = words.at(-1)?.endsWith(' 1') ? what.replace(/s$/, '') : what;
  return words.length > 0 && `${words.join(', ')} ${unit}`.trimEnd();
}

function json(value: unknown): string {
  return safeJson(value);
}

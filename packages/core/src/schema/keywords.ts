import { briefJson } from '../jsonrpc/text.ts';
import type { JsonSchema } from './infer.ts';
import { headerKeyword } from './mirrored-arguments.ts';
import { quoteShort } from './problems.ts';

/** The properties of a keyword. */
export interface Keyword {
  /** The kind of schemas in its value, if any. */
  readonly holds: SchemaKeyword | undefined;
  /**
   * Whether these schemas apply to the same value as the schema with the keyword: `inside` ones apply to parts of it,
   * `unused` ones only if they are referenced.
   */
  readonly applies: 'in place' | 'inside' | 'unused' | undefined;
  /** They apply to any number of parts of the value. */
  readonly repeats: boolean;
  readonly wanted: string;
  /** Checks the form of a value, except the schemas in it. */
  fits(value: unknown): boolean;
  /** It affects more than which values are valid: references, or the cost of a check. */
  readonly analyzed: boolean;
}

/** The allowed values of a keyword that contains schemas. */
export interface SchemaKeyword {
  readonly schema: boolean;
  readonly list: boolean;
  readonly map: boolean;
  /** Members of the map may be lists of property names instead. */
  readonly names: boolean;
  readonly wanted: string;
}

/** A keyword that contains schemas. */
export type Applicator = Keyword & { readonly holds: SchemaKeyword };

/** A keyword that contains none. */
export type Statement = Keyword & { readonly holds: undefined };

type Form = Pick<Keyword, 'wanted' | 'fits'>;

const nothing = { schema: false, list: false, map: false, names: false };
const one: SchemaKeyword = { ...nothing, schema: true, wanted: 'a schema (an object, true or false)' };
const several: SchemaKeyword = { ...nothing, list: true, wanted: 'a list of schemas' };
const oneOrSeveral: SchemaKeyword = { ...nothing, schema: true, list: true, wanted: 'a schema or a list of schemas' };
const byName: SchemaKeyword = { ...nothing, map: true, wanted: 'an object of schemas' };
const namesByName: SchemaKeyword = {
  ...byName,
  names: true,
  wanted: 'an object of schemas or lists of property names',
};

/** The values of `type`. */
export const typeNames: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
]);

const text: Form = { wanted: 'a string', fits: (value) => typeof value === 'string' };
const flag: Form = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
const list: Form = { wanted: 'a list', fits: Array.isArray };
const number: Form = { wanted: 'a number', fits: Number.isFinite };
const above0: Form = { wanted: 'a number above 0', fits: (value) => Number.isFinite(value) && Number(value) > 0 };
const count: Form = {
  wanted: 'a whole number, 0 or more',
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const type: Form = { wanted: `one of ${[...typeNames].join(', ')}, or a list of them`, fits: isType };
const pattern: Form = { wanted: 'a regular expression', fits: isPattern };
const names: Form = { wanted: 'a list of property names', fits: isNames };
const mapOfNames: Form = { wanted: 'an object of lists of property names', fits: isMapOfNames };
const anything: Form = { wanted: 'anything', fits: () => true };

let table: ReadonlyMap<string, Keyword> | undefined;

/** The properties of a keyword with a required form. The table is created on first use: most schemas don't need it. */
export function keywordOf(name: string): Keyword | undefined {
  table ??= makeTable();
  return table.get(name);
}

function makeTable(): ReadonlyMap<string, Keyword> {
  return new Map<string, Keyword>([
    ['allOf', schemaRow(several, 'in place')],
    ['anyOf', schemaRow(several, 'in place')],
    ['oneOf', schemaRow(several, 'in place')],
    ['not', schemaRow(one, 'in place')],
    ['if', schemaRow(one, 'in place')],
    ['then', schemaRow(one, 'in place')],
    ['else', schemaRow(one, 'in place')],
    ['dependentSchemas', schemaRow(byName, 'in place')],
    ['dependencies', schemaRow(namesByName, 'in place')],
    ['properties', schemaRow(byName, 'inside')],
    ['patternProperties', manyRow(byName)],
    ['additionalProperties', manyRow(one)],
    ['unevaluatedProperties', manyRow(one)],
    ['propertyNames', manyRow(one)],
    ['items', manyRow(oneOrSeveral)],
    ['prefixItems', schemaRow(several, 'inside')],
    ['additionalItems', manyRow(one)],
    ['unevaluatedItems', manyRow(one)],
    ['contains', manyRow(one)],
    ['contentSchema', schemaRow(one, 'unused')],
    ['$defs', schemaRow(byName, 'unused')],
    ['definitions', schemaRow(byName, 'unused')],
    ['$schema', analyzedRow(text)],
    ['$id', analyzedRow(text)],
    ['$ref', analyzedRow(text)],
    ['$dynamicRef', analyzedRow(text)],
    ['$recursiveRef', analyzedRow(text)],
    ['$anchor', row(text)],
    ['$dynamicAnchor', row(text)],
    ['$comment', row(text)],
    ['title', row(text)],
    ['description', row(text)],
    ['format', row(text)],
    ['pattern', analyzedRow(pattern)],
    ['type', row(type)],
    ['enum', analyzedRow(list)],
    ['examples', row(list)],
    ['required', analyzedRow(names)],
    ['dependentRequired', analyzedRow(mapOfNames)],
    ['uniqueItems', analyzedRow(flag)],
    ['minimum', row(number)],
    ['maximum', row(number)],
    ['exclusiveMinimum', row(number)],
    ['exclusiveMaximum', row(number)],
    ['multipleOf', row(above0)],
    ['minLength', row(count)],
    ['maxLength', row(count)],
    ['minItems', row(count)],
    ['maxItems', row(count)],
    ['minContains', row(count)],
    ['maxContains', row(count)],
    ['minProperties', row(count)],
    ['maxProperties', row(count)],
    [headerKeyword, analyzedRow(anything)],
  ]);
}

/** Keywords that can have any value. */
export const unboundKeywords: ReadonlySet<string> = new Set(['const', 'default']);

// Written out, so that all rows have one hidden class and are fast to read.
function schemaRow(holds: SchemaKeyword, applies: Keyword['applies']): Keyword {
  return { holds, applies, repeats: false, wanted: holds.wanted, fits: isSchema, analyzed: false };
}

function manyRow(holds: SchemaKeyword): Keyword {
  return { holds, applies: 'inside', repeats: true, wanted: holds.wanted, fits: isSchema, analyzed: false };
}

function row({ wanted, fits }: Form): Keyword {
  return { holds: undefined, applies: undefined, repeats: false, wanted, fits, analyzed: false };
}

function analyzedRow({ wanted, fits }: Form): Keyword {
  return { holds: undefined, applies: undefined, repeats: false, wanted, fits, analyzed: true };
}

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

/** True for the name of a property that every object inherits, such as `toString`. */
export function isInherited(name: string): boolean {
  return inherited.has(name);
}

/** The error for a malformed part of a schema. */
export function malformed(at: string, value: unknown, wanted: string = one.wanted): TypeError {
  const shown = typeof value === 'string' ? quoteShort(value) : briefJson(value);
  return new TypeError(`it is not valid JSON Schema: ${at} must be ${wanted}, and is ${shown}`);
}

/** True for a value that can be a schema. */
export function isSchema(value: unknown): value is JsonSchema | boolean {
  return isSchemaObject(value) || typeof value === 'boolean';
}

/** True for a schema that is an object, not a boolean. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list of strings. */
export function isNames(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (let each = 0; each < value.length; each++) if (typeof value[each] !== 'string') return false;
  return true;
}

/** True for a text that is a valid regular expression of JSON Schema. */
export function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

function isType(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((name) => typeNames.has(name)) : typeNames.has(value);
}

function isMapOfNames(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNames);
}

import type { JsonSchema } from './infer.ts';
import { mark } from './mirrored-arguments.ts';
import { quoted } from './problems.ts';

/** What is known of a keyword. */
export type Keyword = Applicator | Statement;

/** A keyword that holds schemas, and whether they look at the same value as the schema that has the keyword. */
export interface Applicator {
  readonly holds: Holding;
  /** `inside` subschemas check parts of the value, `unused` ones check nothing unless something refers to them. */
  readonly applies: 'in place' | 'inside' | 'unused';
  /** They check many parts of the value, as many as it has. */
  readonly repeats?: true;
}

/** What a keyword that holds schemas may have as its value. */
export interface Holding {
  readonly schema: boolean;
  readonly list: boolean;
  readonly map: boolean;
  /** Members of the map may be lists of property names instead. */
  readonly names: boolean;
  readonly wanted: string;
}

/** A keyword that holds no schemas. */
export interface Statement {
  readonly holds?: undefined;
  readonly wanted: string;
  fits(value: unknown): boolean;
  /** It says more of a schema than what values fit: what it refers to, or what a check costs. */
  readonly telling?: true;
}

const nothing = { schema: false, list: false, map: false, names: false };
const one: Holding = { ...nothing, schema: true, wanted: 'a schema (an object, true or false)' };
const several: Holding = { ...nothing, list: true, wanted: 'a list of schemas' };
const oneOrSeveral: Holding = { ...nothing, schema: true, list: true, wanted: 'a schema or a list of schemas' };
const byName: Holding = { ...nothing, map: true, wanted: 'an object of schemas' };
const namesByName: Holding = { ...byName, names: true, wanted: 'an object of schemas or lists of property names' };

const typeNames: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

const text: Statement = { wanted: 'a string', fits: (value) => typeof value === 'string' };
const flag: Statement = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
const list: Statement = { wanted: 'a list', fits: Array.isArray };
const number: Statement = { wanted: 'a number', fits: Number.isFinite };
const above0: Statement = { wanted: 'a number above 0', fits: (value) => Number.isFinite(value) && Number(value) > 0 };
const count: Statement = {
  wanted: 'a whole number, 0 or more',
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const type: Statement = { wanted: `one of ${typeNames.join(', ')}, or a list of them`, fits: isType };
const pattern: Statement = { wanted: 'a regular expression', fits: isPattern };
const names: Statement = { wanted: 'a list of property names', fits: isNames };
const mapOfNames: Statement = { wanted: 'an object of lists of property names', fits: isMapOfNames };
const anything: Statement = { wanted: 'anything', fits: () => true };

/** The keywords whose values have to have a form. */
export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['allOf', { holds: several, applies: 'in place' }],
  ['anyOf', { holds: several, applies: 'in place' }],
  ['oneOf', { holds: several, applies: 'in place' }],
  ['not', { holds: one, applies: 'in place' }],
  ['if', { holds: one, applies: 'in place' }],
  ['then', { holds: one, applies: 'in place' }],
  ['else', { holds: one, applies: 'in place' }],
  ['dependentSchemas', { holds: byName, applies: 'in place' }],
  ['dependencies', { holds: namesByName, applies: 'in place' }],
  ['properties', { holds: byName, applies: 'inside' }],
  ['patternProperties', { holds: byName, applies: 'inside', repeats: true }],
  ['additionalProperties', { holds: one, applies: 'inside', repeats: true }],
  ['unevaluatedProperties', { holds: one, applies: 'inside', repeats: true }],
  ['propertyNames', { holds: one, applies: 'inside', repeats: true }],
  ['items', { holds: oneOrSeveral, applies: 'inside', repeats: true }],
  ['prefixItems', { holds: several, applies: 'inside' }],
  ['additionalItems', { holds: one, applies: 'inside', repeats: true }],
  ['unevaluatedItems', { holds: one, applies: 'inside', repeats: true }],
  ['contains', { holds: one, applies: 'inside', repeats: true }],
  ['contentSchema', { holds: one, applies: 'unused' }],
  ['$defs', { holds: byName, applies: 'unused' }],
  ['definitions', { holds: byName, applies: 'unused' }],
  ['$schema', { ...text, telling: true }],
  ['$id', { ...text, telling: true }],
  ['$ref', { ...text, telling: true }],
  ['$dynamicRef', { ...text, telling: true }],
  ['$recursiveRef', { ...text, telling: true }],
  ['$anchor', text],
  ['$dynamicAnchor', text],
  ['$comment', text],
  ['title', text],
  ['description', text],
  ['format', text],
  ['pattern', { ...pattern, telling: true }],
  ['type', type],
  ['enum', { ...list, telling: true }],
  ['examples', list],
  ['required', { ...names, telling: true }],
  ['dependentRequired', { ...mapOfNames, telling: true }],
  ['uniqueItems', { ...flag, telling: true }],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', above0],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minContains', count],
  ['maxContains', count],
  ['minProperties', count],
  ['maxProperties', count],
  [mark, { ...anything, telling: true }],
]);

/** The error where something in a schema is not what it should be. */
export function malformed(at: string, value: unknown, wanted: string = one.wanted): TypeError {
  const shown = typeof value === 'string' ? quoted(value) : (JSON.stringify(value) ?? typeof value).slice(0, 80);
  return new TypeError(`it is not valid JSON Schema: ${at} must be ${wanted}, and is ${shown}`);
}

/** True for what can stand where a schema is wanted. */
export function isSchema(value: unknown): value is JsonSchema | boolean {
  return isSchemaObject(value) || typeof value === 'boolean';
}

/** True for a schema that is not just true or false. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list of strings. */
export function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** True for a text that is a regular expression in the sense of JSON Schema. */
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
  return Array.isArray(value)
    ? value.length > 0 && value.every((name) => typeNames.includes(name))
    : typeNames.includes(value);
}

function isMapOfNames(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNames);
}

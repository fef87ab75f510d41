/** Where a keyword holds its subschemas, and whether they look at the same value as the schema that has the keyword. */
export interface Applicator {
  readonly holds: 'schema' | 'list' | 'map' | 'schema or list' | 'map of schemas or names';
  /** `inside` subschemas check parts of the value, `unused` ones check nothing unless something refers to them. */
  readonly applies: 'in place' | 'inside' | 'unused';
}

/** The keywords that hold schemas. */
export const applicators: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ['allOf', { holds: 'list', applies: 'in place' }],
  ['anyOf', { holds: 'list', applies: 'in place' }],
  ['oneOf', { holds: 'list', applies: 'in place' }],
  ['not', { holds: 'schema', applies: 'in place' }],
  ['if', { holds: 'schema', applies: 'in place' }],
  ['then', { holds: 'schema', applies: 'in place' }],
  ['else', { holds: 'schema', applies: 'in place' }],
  ['dependentSchemas', { holds: 'map', applies: 'in place' }],
  ['dependencies', { holds: 'map of schemas or names', applies: 'in place' }],
  ['properties', { holds: 'map', applies: 'inside' }],
  ['patternProperties', { holds: 'map', applies: 'inside' }],
  ['additionalProperties', { holds: 'schema', applies: 'inside' }],
  ['unevaluatedProperties', { holds: 'schema', applies: 'inside' }],
  ['propertyNames', { holds: 'schema', applies: 'inside' }],
  ['items', { holds: 'schema or list', applies: 'inside' }],
  ['prefixItems', { holds: 'list', applies: 'inside' }],
  ['additionalItems', { holds: 'schema', applies: 'inside' }],
  ['unevaluatedItems', { holds: 'schema', applies: 'inside' }],
  ['contains', { holds: 'schema', applies: 'inside' }],
  ['contentSchema', { holds: 'schema', applies: 'unused' }],
  ['$defs', { holds: 'map', applies: 'unused' }],
  ['definitions', { holds: 'map', applies: 'unused' }],
]);

interface Shape {
  readonly wanted: string;
  fits(value: unknown): boolean;
}

const typeNames: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

const text: Shape = { wanted: 'a string', fits: (value) => typeof value === 'string' };
const flag: Shape = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
const list: Shape = { wanted: 'a list', fits: Array.isArray };
const number: Shape = { wanted: 'a number', fits: Number.isFinite };
const count: Shape = {
  wanted: 'a whole number, 0 or more',
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const names: Shape = { wanted: 'a list of property names', fits: isNames };

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['$schema', text],
  ['$id', text],
  ['$ref', text],
  ['$anchor', text],
  ['$dynamicRef', text],
  ['$dynamicAnchor', text],
  ['$recursiveRef', text],
  ['$comment', text],
  ['title', text],
  ['description', text],
  ['format', text],
  ['pattern', { wanted: 'a regular expression', fits: isPattern }],
  ['type', { wanted: `one of ${typeNames.join(', ')}, or a list of them`, fits: isType }],
  ['enum', list],
  ['examples', list],
  ['required', names],
  ['dependentRequired', { wanted: 'an object of lists of property names', fits: isMapOfNames }],
  ['uniqueItems', flag],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', { wanted: 'a number above 0', fits: (value) => Number.isFinite(value) && Number(value) > 0 }],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minContains', count],
  ['maxContains', count],
  ['minProperties', count],
  ['maxProperties', count],
]);

/** What the value of a keyword should have been, if it is not that. Says nothing about keywords that hold schemas. */
export function wantedInstead(keyword: string, value: unknown): string | undefined {
  const shape = shapes.get(keyword);
  return shape === undefined || shape.fits(value) ? undefined : shape.wanted;
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

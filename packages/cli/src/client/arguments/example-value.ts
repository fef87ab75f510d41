import { patternExample } from './pattern-example.ts';
import { alternativesOf, propertiesOf, requiredOf, resolveRef, type Schema, toSchema } from '../describe/schema.ts';

const maxDepth = 6;
const maxTextLength = 10_000;

/** Generates a valid value for a schema, preferably one that the schema names; undefined if that fails. */
function exampleValue(given: Schema, root: Schema, depth = 0): unknown {
  const schema: Schema = { ...resolveRef(given, root), ...(given.default !== undefined && { default: given.default }) };
  const { examples, example, default: usual, const: only, enum: values } = schema;
  const named = [only, ...(Array.isArray(examples) ? examples : []), example, usual];
  const known = [...named, ...(Array.isArray(values) ? values : [])].find((value) => value !== undefined);
  if (known !== undefined || depth > maxDepth) return known;
  if (Array.isArray(schema.allOf)) return mergedExample(schema, root, depth);
  const [first = schema, ...others] = alternativesOf(schema);
  if (others.length === 0) return typedExample(first, root, depth);
  return [first, ...others]
    .slice(0, 20)
    .map((one) => exampleValue(one === schema ? {} : one, root, depth + 1))
    .find((value) => value !== undefined && value !== null);
}

/** An example for a member of an object; its name may imply a format. */
export function exampleMember(name: string, schema: Schema, root: Schema, depth = 0): unknown {
  const kind = kinds.find(([pattern]) => pattern.test(name))?.[1];
  const known = resolveRef(schema, root);
  const isPlain = known.type === 'string' && known.format === undefined && known.pattern === undefined;
  return exampleValue(isPlain && kind !== undefined ? { ...known, ...schema, format: kind } : schema, root, depth);
}

const kinds: readonly [RegExp, string][] = [
  [/(?:^|_)(?:ur[il]|link|href|website)$|Ur[il]$|UR[IL]$/, 'uri'],
  [/e-?mail$/i, 'email'],
  [/(?:^|_)date$|Date$/, 'date'],
  [/(?:^|_)(?:dir|directory|folder|cwd)$/i, 'folder'],
  [/^host(?:name)?$/i, 'hostname'],
];

function typedExample(schema: Schema, root: Schema, depth: number): unknown {
  switch (schema.type) {
    case 'string':
      return textExample(schema);
    case 'integer':
    case 'number':
      return numberExample(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return listExample(schema, root, depth);
    case 'object':
      return objectExample(schema, root, depth);
    default:
      return schema.properties === undefined ? 'text' : objectExample(schema, root, depth);
  }
}

function mergedExample(schema: Schema, root: Schema, depth: number): unknown {
  const parts = [{ ...schema, allOf: undefined }, ...(schema.allOf as unknown[]).slice(0, 20).map(toSchema)];
  const values = parts.filter((part) => part.$ref !== undefined || part.type !== undefined || part.properties);
  const made = values.map((part) => exampleValue(part, root, depth + 1));
  const objects = made.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  return objects ? (Object.assign({}, ...made) as unknown) : made.find((value) => value !== undefined);
}

function objectExample(schema: Schema, root: Schema, depth: number): Record<string, unknown> | undefined {
  const properties = propertiesOf(schema);
  const members = requiredOf(schema).map((name) => {
    const value = exampleMember(name, properties.get(name) ?? {}, root, depth + 1);
    return [name, value] as const;
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function listExample(schema: Schema, root: Schema, depth: number): unknown[] | undefined {
  const least = typeof schema.minItems === 'number' ? Math.min(schema.minItems, 100) : 0;
  const places = Array.isArray(schema.prefixItems) ? schema.prefixItems.slice(0, 20).map(toSchema) : [];
  const first = places.map((place) => exampleValue(place, root, depth + 1));
  const wanted = Math.max(least, first.length === 0 && schema.maxItems !== 0 ? 1 : 0);
  const more = Array.from({ length: Math.max(0, wanted - first.length) }, () =>
    exampleValue(toSchema(schema.items), root, depth + 1),
  );
  const all = [...first, ...(schema.uniqueItems === true ? more.map(makeDistinct) : more)];
  return all.includes(undefined) ? undefined : all;
}

/** Makes list items distinct, with a counter for plain values. */
function makeDistinct(value: unknown, index: number): unknown {
  if (index === 0) return value;
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${index + 1}` : undefined;
}

function numberExample(schema: Schema): number | undefined {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const isWhole = schema.type === 'integer';
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const least = maxNumber(
    minimum,
    typeof exclusiveMinimum === 'number' ? exclusiveMinimum + Number.EPSILON : undefined,
  );
  const most = minNumber(maximum, exclusiveMaximum);
  const fits = (value: number): boolean =>
    (typeof minimum !== 'number' || value >= minimum) &&
    (typeof exclusiveMinimum !== 'number' || value > exclusiveMinimum) &&
    (typeof maximum !== 'number' || value <= maximum) &&
    (typeof exclusiveMaximum !== 'number' || value < exclusiveMaximum) &&
    (!isWhole || Number.isInteger(value));
  const candidates = [
    step,
    0,
    ...(least === undefined ? [] : [Math.ceil(least / step) * step, (Math.floor(least / step) + 1) * step]),
    ...(most === undefined ? [] : [Math.floor(most / step) * step, (Math.ceil(most / step) - 1) * step]),
    ...(least === undefined || most === undefined || multipleOf !== undefined ? [] : [(least + most) / 2]),
  ];
  return candidates.find(fits);
}

function maxNumber(...values: unknown[]): number | undefined {
  const numbers = values.filter((value): value is number => typeof value === 'number');
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

function minNumber(...values: unknown[]): number | undefined {
  const numbers = values.filter((value): value is number => typeof value === 'number');
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

const formats: Readonly<Record<string, string>> = {
  folder: '.',
  date: '1969-07-20',
  'date-time': '1969-07-20T20:17:40Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/',
  'iri-reference': '/',
  'uri-template': '/{id}',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: 'a+',
};

function textExample({ format, pattern, minLength, maxLength, contentEncoding }: Schema): string | undefined {
  const least = typeof minLength === 'number' ? Math.min(minLength, maxTextLength) : 0;
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  const named = typeof format === 'string' ? formats[format] : undefined;
  if (named !== undefined && named.length >= least && named.length <= most) return named;
  if (typeof pattern === 'string') {
    const made = patternExample(pattern, least);
    return made !== undefined && made.length >= least && made.length <= most ? made : undefined;
  }
  const plain = contentEncoding === 'base64' ? 'dGV4dA==' : 'text';
  const text = plain.length < least ? plain.padEnd(least, plain) : plain;
  return text.slice(0, most);
}

import type { JsonSchema } from './infer.ts';
import { isSchemaObject } from './keywords.ts';
import { mark } from './mirrored-arguments.ts';

/** True where a value fits, for certain. False where it does not, or where only the validator can tell. */
export type QuickCheck = (value: unknown) => boolean;

/** Says nothing of which values fit. */
const silent = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  mark,
]);

/** For the plain keywords that most schemas are made of. */
const makers = new Map<string, (given: unknown, schema: JsonSchema) => QuickCheck | undefined>([
  ['type', (given) => checkOfTypes(given as string | string[])],
  ['properties', (given) => checkOfProperties(given as JsonSchema)],
  ['required', (given) => checkOfObject((value) => (given as string[]).every((name) => Object.hasOwn(value, name)))],
  ['additionalProperties', checkOfOthers],
  ['items', checkOfItems],
  ['enum', (given) => checkOfValues(given as unknown[])],
  ['const', (given) => checkOfValues([given])],
  ['anyOf', (given) => checkOfBranches(given as unknown[], (checks, value) => checks.some((check) => check(value)))],
  ['allOf', (given) => checkOfBranches(given as unknown[], (checks, value) => checks.every((check) => check(value)))],
  ['minimum', (given) => checkOfNumber((value) => value >= Number(given))],
  ['maximum', (given) => checkOfNumber((value) => value <= Number(given))],
  ['exclusiveMinimum', (given) => checkOfNumber((value) => value > Number(given))],
  ['exclusiveMaximum', (given) => checkOfNumber((value) => value < Number(given))],
  ['minLength', (given) => checkOfText((text) => isAsLong(text, Number(given)))],
  ['maxLength', (given) => checkOfText((text) => text.length <= Number(given))],
  ['minItems', (given) => checkOfList((list) => list.length >= Number(given))],
  ['maxItems', (given) => checkOfList((list) => list.length <= Number(given))],
]);

/**
 * The check of a schema that `inspectSchema` found nothing special in. It needs no validator, which takes long to load, and
 * is sure of what it says yes to. Undefined where the schema has a keyword that takes more than a few words to check.
 */
export function quickCheck(schema: unknown): QuickCheck | undefined {
  if (schema === true) return () => true;
  if (!isSchemaObject(schema)) return undefined;
  const checks: QuickCheck[] = [];
  for (const [keyword, given] of Object.entries(schema)) {
    if (given === undefined || silent.has(keyword)) continue;
    const check = makers.get(keyword)?.(given, schema);
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return checks.length === 1 ? checks[0] : (value) => checks.every((check) => check(value));
}

function checkOfTypes(types: string | string[]): QuickCheck {
  return typeof types === 'string'
    ? (value) => isOfType(value, types)
    : (value) => types.some((type) => isOfType(value, type));
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isSchemaObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function checkOfProperties(properties: JsonSchema): QuickCheck | undefined {
  const checks: [name: string, check: QuickCheck][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const check = quickCheck(schema);
    if (check === undefined) return undefined;
    checks.push([name, check]);
  }
  return checkOfObject((value) => checks.every(([name, check]) => !(name in value) || check(value[name])));
}

/** What there may be beside the properties that the schema names. */
function checkOfOthers(given: unknown, { properties }: JsonSchema): QuickCheck | undefined {
  const check: QuickCheck | undefined = given === false ? () => false : quickCheck(given);
  if (check === undefined) return undefined;
  const named = new Set(Object.keys(properties ?? {}));
  return checkOfObject((value) =>
    Object.getOwnPropertyNames(value).every((name) => named.has(name) || check(value[name])),
  );
}

function checkOfItems(given: unknown): QuickCheck | undefined {
  const check = quickCheck(given);
  return check && checkOfList((list) => list.every((item) => check(item)));
}

function checkOfValues(values: readonly unknown[]): QuickCheck | undefined {
  return values.some((value) => typeof value === 'object' && value !== null)
    ? undefined
    : (value) => values.some((one) => one === value);
}

function checkOfBranches(
  schemas: readonly unknown[],
  combine: (checks: readonly QuickCheck[], value: unknown) => boolean,
): QuickCheck | undefined {
  const checks = schemas.map(quickCheck);
  return checks.every((check) => check !== undefined) ? (value) => combine(checks, value) : undefined;
}

// A keyword for values of one type says nothing of those of another.

function checkOfObject(fits: (value: Record<string, unknown>) => boolean): QuickCheck {
  return (value) => !isSchemaObject(value) || fits(value);
}

function checkOfList(fits: (list: readonly unknown[]) => boolean): QuickCheck {
  return (value) => !Array.isArray(value) || fits(value);
}

function checkOfText(fits: (text: string) => boolean): QuickCheck {
  return (value) => typeof value !== 'string' || fits(value);
}

function checkOfNumber(fits: (number: number) => boolean): QuickCheck {
  return (value) => (typeof value === 'number' ? fits(value) : typeof value !== 'bigint');
}

/** What counts as a character is for the validator to say, where there are others than these. */
function isAsLong(text: string, least: number): boolean {
  return text.length >= least && (least < 2 || /^[ -~]*$/.test(text));
}

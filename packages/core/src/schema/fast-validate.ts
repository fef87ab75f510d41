import type { JsonSchema } from './infer.ts';
import { isSchemaObject } from './keywords.ts';
import { headerKeyword } from './mirrored-arguments.ts';

/** True if a value is certainly valid. False if it is not, or if only the full validator can tell. */
export type FastValidator = (value: unknown) => boolean;

/** Annotation keywords, which do not restrict values. */
const annotations = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  headerKeyword,
]);

/**
 * Compiles the fast path of validation for a schema without findings of `inspectSchema`. It works before the full
 * validator is loaded, and has no false positives. Undefined if the schema has a keyword without a compiler.
 */
export function compileFastValidator(schema: unknown): FastValidator | undefined {
  if (schema === true) return () => true;
  if (!isSchemaObject(schema)) return undefined;
  const checks: FastValidator[] = [];
  for (const [keyword, given] of Object.entries(schema)) {
    if (given === undefined || annotations.has(keyword)) continue;
    const check = compileKeyword(keyword, given, schema);
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return checks.length === 1 ? checks[0] : (value) => checks.every((check) => check(value));
}

/** Compiles one of the common keywords. */
function compileKeyword(keyword: string, given: unknown, schema: JsonSchema): FastValidator | undefined {
  switch (keyword) {
    case 'type':
      return typeValidator(given as string | string[]);
    case 'properties':
      return propertiesValidator(given as JsonSchema);
    case 'required':
      return objectValidator((value) => (given as string[]).every((name) => Object.hasOwn(value, name)));
    case 'additionalProperties':
      return additionalValidator(given, schema);
    case 'items':
      return itemsValidator(given);
    case 'enum':
      return valuesValidator(given as unknown[]);
    case 'const':
      return valuesValidator([given]);
    case 'anyOf':
      return branchesValidator(given as unknown[], (checks, value) => checks.some((check) => check(value)));
    case 'allOf':
      return branchesValidator(given as unknown[], (checks, value) => checks.every((check) => check(value)));
    case 'minimum':
      return numberValidator((value) => value >= Number(given));
    case 'maximum':
      return numberValidator((value) => value <= Number(given));
    case 'exclusiveMinimum':
      return numberValidator((value) => value > Number(given));
    case 'exclusiveMaximum':
      return numberValidator((value) => value < Number(given));
    case 'minLength':
      return stringValidator((text) => hasMinLength(text, Number(given)));
    case 'maxLength':
      return stringValidator((text) => text.length <= Number(given));
    case 'minItems':
      return arrayValidator((list) => list.length >= Number(given));
    case 'maxItems':
      return arrayValidator((list) => list.length <= Number(given));
    default:
      return undefined;
  }
}

function typeValidator(types: string | string[]): FastValidator {
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

function propertiesValidator(properties: JsonSchema): FastValidator | undefined {
  const checks: [name: string, check: FastValidator][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const check = compileFastValidator(schema);
    if (check === undefined) return undefined;
    checks.push([name, check]);
  }
  return objectValidator((value) => checks.every(([name, check]) => !(name in value) || check(value[name])));
}

/** Validates properties that the schema does not name. */
function additionalValidator(given: unknown, { properties }: JsonSchema): FastValidator | undefined {
  const check: FastValidator | undefined = given === false ? () => false : compileFastValidator(given);
  if (check === undefined) return undefined;
  const named = new Set(Object.keys(properties ?? {}));
  return objectValidator((value) =>
    Object.getOwnPropertyNames(value).every((name) => named.has(name) || check(value[name])),
  );
}

function itemsValidator(given: unknown): FastValidator | undefined {
  const check = compileFastValidator(given);
  return check && arrayValidator((list) => list.every((item) => check(item)));
}

function valuesValidator(values: readonly unknown[]): FastValidator | undefined {
  return values.some((value) => typeof value === 'object' && value !== null)
    ? undefined
    : (value) => values.some((one) => one === value);
}

function branchesValidator(
  schemas: readonly unknown[],
  combine: (checks: readonly FastValidator[], value: unknown) => boolean,
): FastValidator | undefined {
  const checks = schemas.map(compileFastValidator);
  return checks.every((check) => check !== undefined) ? (value) => combine(checks, value) : undefined;
}

// A keyword for one type ignores values of other types.

function objectValidator(fits: (value: Record<string, unknown>) => boolean): FastValidator {
  return (value) => !isSchemaObject(value) || fits(value);
}

function arrayValidator(fits: (list: readonly unknown[]) => boolean): FastValidator {
  return (value) => !Array.isArray(value) || fits(value);
}

function stringValidator(fits: (text: string) => boolean): FastValidator {
  return (value) => typeof value !== 'string' || fits(value);
}

function numberValidator(fits: (number: number) => boolean): FastValidator {
  return (value) => (typeof value === 'number' ? fits(value) : typeof value !== 'bigint');
}

/** Beyond ASCII, only the full validator counts characters. */
function hasMinLength(text: string, least: number): boolean {
  return text.length >= least && (least < 2 || /^[ -~]*$/.test(text));
}

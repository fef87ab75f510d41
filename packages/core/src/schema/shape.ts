import type { SchemaShape, StandardIssue, StandardResult, StandardSchema } from './infer.ts';
import { isSchemaObject } from './keywords.ts';
import { rebaseReferences } from './references.ts';
import { formatPointer, quoteShort } from './problems.ts';
import { assertHasJsonSchema, isStandardSchema, type Side } from './standard.ts';

/** True for an object with a library schema per property. Throws if only some of its members are schemas. */
export function isShape(schema: object): schema is SchemaShape {
  const members = Object.entries(schema);
  const others = members.filter(([, member]) => !isLibrarySchema(member));
  if (members.length === 0 || others.length === members.length) return false;
  const [foreign] = others;
  if (foreign === undefined) return true;
  throw new TypeError(
    `its member ${quoteShort(foreign[0])} is no schema of a library, though others are: give a schema for each property, ` +
      'or one schema for the whole object',
  );
}

function isLibrarySchema(value: unknown): value is StandardSchema {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && isStandardSchema(value);
}

/** Creates the schema of an object with these properties. Strips others, as the libraries do. */
export function shapeToSchema(shape: SchemaShape): StandardSchema {
  const members = Object.entries(shape);
  for (const [, member] of members) assertHasJsonSchema(member);
  const write = (side: Side) => (options: Target) => writeShape(members, side, options);
  return {
    '~standard': {
      version: 1,
      vendor: members[0]?.[1]['~standard'].vendor ?? '',
      validate: (value) => checkShape(members, value),
      jsonSchema: { input: write('input'), output: write('output') },
    },
  };
}

type Members = readonly (readonly [name: string, schema: StandardSchema])[];
type Target = Parameters<NonNullable<StandardSchema['~standard']['jsonSchema']>['input']>[0];

function checkShape(
  members: Members,
  value: unknown,
): StandardResult<Record<string, unknown>> | Promise<StandardResult<Record<string, unknown>>> {
  if (!isSchemaObject(value)) return { issues: [{ message: 'expected an object' }] };
  const results = members.map(([name, schema]) =>
    schema['~standard'].validate(Object.hasOwn(value, name) ? value[name] : undefined),
  );
  const gather = (done: readonly StandardResult<unknown>[]) => gatherResults(members, value, done);
  return results.some((result) => result instanceof Promise)
    ? Promise.all(results.map((result) => Promise.resolve(result))).then(gather)
    : gather(results as StandardResult<unknown>[]);
}

function gatherResults(
  members: Members,
  given: Readonly<Record<string, unknown>>,
  results: readonly StandardResult<unknown>[],
): StandardResult<Record<string, unknown>> {
  const issues: StandardIssue[] = [];
  const values: [string, unknown][] = [];
  for (const [index, result] of results.entries()) {
    const [name] = members[index] as Members[number];
    if (result.issues !== undefined) issues.push(...result.issues.map((issue) => prefixPath(name, issue)));
    else if (result.value !== undefined || Object.hasOwn(given, name)) values.push([name, result.value]);
  }
  return issues.length > 0 ? { issues } : { value: Object.fromEntries(values) };
}

function prefixPath(name: string, { message, path = [] }: StandardIssue): StandardIssue {
  return { message, path: [name, ...path] };
}

function writeShape(members: Members, side: Side, options: Target): Record<string, unknown> {
  const properties = members.map(([name, { '~standard': standard }]) => {
    const { $schema: _, ...json } = standard.jsonSchema?.[side](options) ?? {};
    return [name, rebaseReferences(json, `/properties${formatPointer([name])}`)];
  });
  const required = members.filter(([, schema]) => !isOptional(schema, side)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/**
 * Libraries do not expose whether a schema is optional, so it validates undefined. An asynchronous schema counts as
 * required.
 */
function isOptional({ '~standard': { validate } }: StandardSchema, side: Side): boolean {
  try {
    const result = validate(undefined);
    if (result instanceof Promise) {
      result.catch(() => {});
      return false;
    }
    return result.issues === undefined && (side === 'input' || result.value === undefined);
  } catch {
    return false;
  }
}

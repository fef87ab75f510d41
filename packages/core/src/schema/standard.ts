import { truncate } from '../jsonrpc/text.ts';
import type { JsonSchema, StandardIssue, StandardResult, StandardSchema } from './infer.ts';
import { type Checked, maxFaults, formatPointer, type Problem } from './problems.ts';

/** Whether a schema describes input (arguments) or output (structured results). */
export type Side = 'input' | 'output';

const longestMessage = 300;

const remedies: ReadonlyMap<string, string> = new Map([
  ['zod', 'install zod 4.2 or later'],
  ['valibot', 'wrap the schema in toStandardJsonSchema() from @valibot/to-json-schema'],
  ['arktype', 'install arktype 2.1.28 or later'],
]);

/** True for a schema of zod, valibot, arktype or another library that implements Standard Schema. */
export function isStandardSchema(schema: object): schema is StandardSchema {
  return '~standard' in schema;
}

/** Throws if the library can't produce JSON Schema at all, which is known without a conversion. */
export function assertHasJsonSchema({ '~standard': { vendor, jsonSchema } }: StandardSchema): void {
  if (jsonSchema !== undefined) return;
  const remedy = remedies.get(vendor) ?? `use a version of ${vendor} that implements Standard JSON Schema`;
  throw new TypeError(`${vendor} gives no JSON Schema for it (~standard.jsonSchema is missing): ${remedy}`);
}

/** Validates a value with the library. */
export function checkStandard(schema: StandardSchema, value: unknown): Checked | Promise<Checked> {
  const result = schema['~standard'].validate(value);
  return result instanceof Promise ? result.then(toChecked) : toChecked(result);
}

/** Converts a library's schema to JSON Schema. Throws if the library can't. */
export function describeStandard({ '~standard': { vendor, jsonSchema } }: StandardSchema, side: Side): JsonSchema {
  try {
    return { ...jsonSchema?.[side]({ target: 'draft-2020-12' }) };
  } catch (first) {
    try {
      return { $schema: 'http://json-schema.org/draft-07/schema#', ...jsonSchema?.[side]({ target: 'draft-07' }) };
    } catch {
      const message = first instanceof Error ? first.message : String(first);
      throw new TypeError(`${vendor} can't write it as JSON Schema: ${message}`, { cause: first });
    }
  }
}

function toChecked(result: StandardResult<unknown>): Checked {
  return result.issues === undefined
    ? { ok: true, value: result.value }
    : { ok: false, problems: result.issues.slice(0, maxFaults).map(toProblem) };
}

function toProblem({ path, message }: StandardIssue): Problem {
  const segments = path?.map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return {
    path: formatPointer(segments ?? []),
    message: truncate(message, longestMessage),
  };
}

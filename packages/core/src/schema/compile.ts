import type { JsonSchema, Schema } from './infer.ts';
import { inspectSchema } from './inspect.ts';
import { compileStandard, isStandardSchema } from './standard.ts';
import { loadedValidator, loadValidator } from './validator.ts';

/** A schema that is ready for both of its uses: to be shown to the other side, and to check values with. */
export interface CompiledSchema {
  /** What goes on the wire. */
  readonly json: JsonSchema;
  /** A plain JSON Schema answers its first check with a promise, while the validator is loaded, and then at once. */
  check(value: unknown): Checked | Promise<Checked>;
  /** Loads what `check` needs to answer at once; undefined where that is there. */
  prepare(): Promise<void> | undefined;
}

/** The outcome of a check. `value` is the checked value, with whatever the schema turned it into. */
export type Checked = { ok: true; value: unknown } | { ok: false; problems: Problem[] };

/** One thing that is wrong with a value. */
export interface Problem {
  /** JSON pointer to the place in the value; empty for the value as a whole. */
  path: string;
  message: string;
}

/** Whether values come in, as arguments do, or go out, as structured results do. */
export type Side = 'input' | 'output';

/** Takes a schema of any supported form. Throws a `TypeError` that says what to do where it can't be used. */
export function compileSchema(schema: Schema, options: { side: Side }): CompiledSchema {
  const { side } = options;
  try {
    assertSchema(schema);
    if (!isStandardSchema(schema)) return compileJson(side === 'input' ? asObjectSchema(schema) : schema, side);
    const compiled = compileStandard(schema, side);
    return side === 'input' ? { ...compiled, json: asObjectSchema(compiled.json) } : compiled;
  } catch (error) {
    throw unusable(side, error);
  }
}

function unusable(side: Side, cause: unknown): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TypeError(`The ${side} schema can't be used: ${reason}`, { cause });
}

function assertSchema(schema: unknown): asserts schema is Schema {
  const isObject = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  if (!isObject || Array.isArray(schema)) {
    throw new TypeError('it is not an object: give a JSON Schema or a Standard Schema (zod, valibot, arktype)');
  }
  if ('~standard' in schema) return;
  if (typeof schema === 'function' || Object.values(schema).some((value) => typeof value === 'function')) {
    throw new TypeError(
      'it has functions, so it is no JSON Schema, and no "~standard", so it is no Standard Schema: ' +
        'with a schema library, install zod 4.2 or later, arktype 2.1.28 or later, or valibot with ' +
        'toStandardJsonSchema() from @valibot/to-json-schema',
    );
  }
}

/** Arguments are always an object, and the protocol wants the schema to say so. */
function asObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { ...schema, type: 'object' };
  if (schema.type === 'object') return schema;
  throw new TypeError(
    `its root type is ${JSON.stringify(schema.type)}, and arguments are always an object: ` +
      'describe an object that has the value as a property',
  );
}

type Validate = (value: unknown) => Checked;

function compileJson(json: JsonSchema, side: Side): CompiledSchema {
  const findings = inspectSchema(json);
  let validate: Validate | undefined;
  const prepare = (): Promise<void> | undefined => (loadedValidator() === undefined ? loadValidator() : undefined);
  const check = (value: unknown): Checked | Promise<Checked> => {
    if (validate !== undefined) return validate(value);
    const preparing = prepare();
    if (preparing !== undefined) return preparing.then(() => check(value));
    try {
      validate = loadedValidator()?.createValidate(json, findings) as Validate;
    } catch (error) {
      throw unusable(side, error);
    }
    return validate(value);
  };
  return { json, check, prepare };
}

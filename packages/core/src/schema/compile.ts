import { briefJson } from '../jsonrpc/brief-json.ts';
import type { JsonSchema, JsonSchemaKeywords, Schema, StandardSchema } from './infer.ts';
import { type Findings, inspectSchema } from './inspect.ts';
import { isSchemaObject, keywords, typeNames, unboundKeywords } from './keywords.ts';
import { type MirroredArgument, mirroredArguments } from './mirrored-arguments.ts';
import { type Checked, quoteShort } from './problems.ts';
import { type FastValidator, compileFastValidator } from './fast-validate.ts';
import { isShape, shapeToSchema } from './shape.ts';
import { assertHasJsonSchema, checkStandard, describeStandard, isStandardSchema, type Side } from './standard.ts';
import { loadedValidator, loadValidator } from './validator.ts';

/** A schema that is ready for both of its uses: to be shown to the other side, and to check values with. */
export interface CompiledSchema {
  /** What goes on the wire. */
  readonly json: JsonSchema;
  /** False until a library has been asked for `json`, which happens when it is first read, and may fail. */
  readonly written: boolean;
  /** The arguments that clients are to repeat in headers. Found when `json` is. */
  readonly mirrored: readonly MirroredArgument[];
  /** A plain JSON Schema answers with a promise where the validator is needed and not loaded yet, and else at once. */
  check(value: unknown): Checked | Promise<Checked>;
  /** Loads what `check` needs to answer at once for this value; undefined where that is there. */
  prepare(value: unknown): Promise<void> | undefined;
  /** False for a schema of a library, which checks by itself. */
  readonly needsValidator: boolean;
  /** Makes what `check` would make when it is first called. To be called once the validator is loaded. */
  compileAhead(): void;
}

/**
 * Takes a schema of any supported form. Throws a `TypeError` that says what to do where it can't be used. A schema of a
 * library is not yet written as JSON Schema then: with many tools that would be most of a start-up.
 */
export function compileSchema(schema: Schema, options: { side: Side }): CompiledSchema {
  const { side } = options;
  try {
    if (isPlainData(schema)) return new PlainSchema(asJsonSchema(schema), side);
    assertSchema(schema);
    if (isStandardSchema(schema)) return new LibrarySchema(schema, side);
    if (isShape(schema)) return new LibrarySchema(shapeToSchema(schema), side);
    return new PlainSchema(asJsonSchema(schema), side);
  } catch (error) {
    throw unusable(side, error);
  }
}

function unusable(side: Side, cause: unknown): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TypeError(`The ${side} schema can't be used: ${reason}`, { cause });
}

/** True for what is a JSON Schema, if anything, at the first look. Most are, so it makes no garbage. */
function isPlainData(schema: Schema): schema is JsonSchema {
  if (!isSchemaObject(schema) || '~standard' in schema) return false;
  for (const name in schema) {
    const value = schema[name];
    if (typeof value === 'function' || (isSchemaObject(value) && ('~standard' in value || isNotData(value))))
      return false;
  }
  return true;
}

function assertSchema(schema: unknown): asserts schema is Schema {
  const isObject = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  if (!isObject || Array.isArray(schema)) {
    throw new TypeError('it is not an object: give a JSON Schema or a Standard Schema (zod, valibot, arktype)');
  }
  if ('~standard' in schema) return;
  if (typeof schema === 'function' || Object.values(schema).some(isNotData)) {
    throw new TypeError(
      'it has functions, so it is no JSON Schema, and no "~standard", so it is no Standard Schema: ' +
        'with a schema library, install zod 4.2 or later, arktype 2.1.28 or later, or valibot with ' +
        'toStandardJsonSchema() from @valibot/to-json-schema',
    );
  }
}

/** True for functions, and for schemas of libraries that are too old to have `~standard`. */
function isNotData(value: unknown): boolean {
  if (typeof value === 'function') return !('~standard' in value);
  return isSchemaObject(value) && !('~standard' in value) && typeof (value as { parse?: unknown }).parse === 'function';
}

/** Refuses what only looks like a JSON Schema: the properties alone, without the object that has them. */
function asJsonSchema(schema: JsonSchema | JsonSchemaKeywords): JsonSchema {
  const json = schema as JsonSchema;
  if (typeof json.type === 'string' || Array.isArray(json.type)) return json;
  const members = Object.entries(json);
  const found = members.find(([name, value]) => isMisplacedProperty(name, value));
  // With a keyword beside it, it is a member that JSON Schema does not know, and allows.
  if (found === undefined || members.some(([name, value]) => isKeyword(name, value))) return json;
  const [name, value] = found;
  const remedy =
    '~kind' in (value as object)
      ? `Type.Object({ ${name}: … })`
      : `{ type: 'object', properties: { ${name}: … }, required: ['${name}'] }`;
  throw new TypeError(
    `it has properties alone, such as ${quoteShort(name)}, without the object around them: write ${remedy}`,
  );
}

function isMisplacedProperty(name: string, value: unknown): boolean {
  if (name.startsWith('x-') || isKeyword(name, value) || !isSchemaObject(value)) return false;
  return typeNames.has(value.type) || '~kind' in value;
}

/** True for a keyword of JSON Schema with a value that it can have. */
function isKeyword(name: string, value: unknown): boolean {
  const keyword = keywords.get(name);
  if (keyword === undefined) return unboundKeywords.has(name);
  return keyword.holds !== undefined || keyword.fits(value);
}

/** Arguments are always an object, and the protocol wants the schema to say so. */
function asObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { ...schema, type: 'object' };
  if (schema.type === 'object') return schema;
  throw new TypeError(
    `its root type is ${briefJson(schema.type)}, and arguments are always an object: ` +
      'describe an object that has the value as a property',
  );
}

const none: readonly MirroredArgument[] = [];

class PlainSchema implements CompiledSchema {
  readonly json: JsonSchema;
  readonly written: boolean = true;
  readonly needsValidator: boolean = true;
  readonly mirrored: readonly MirroredArgument[];
  readonly #side: Side;
  readonly #findings: Findings;
  #validate: ((value: unknown) => Checked) | undefined;
  /** Absent until it is first needed, null where there is none. */
  #fastValidate: FastValidator | null | undefined;

  constructor(schema: JsonSchema, side: Side) {
    this.#side = side;
    this.json = side === 'input' ? asObjectSchema(schema) : schema;
    this.#findings = inspectSchema(this.json);
    this.mirrored = this.#findings.marked && side === 'input' ? mirroredArguments(this.json) : none;
  }

  prepare(value: unknown): Promise<void> | undefined {
    return loadedValidator() !== undefined || this.#isSurelyValid(value) ? undefined : loadValidator();
  }

  check(value: unknown): Checked | Promise<Checked> {
    return this.#validate === undefined ? this.#compileAndCheck(value) : this.#validate(value);
  }

  #compileAndCheck(value: unknown): Checked | Promise<Checked> {
    if (loadedValidator() === undefined) {
      return this.#isSurelyValid(value) ? { ok: true, value } : loadValidator().then(() => this.check(value));
    }
    try {
      this.#validate = this.#createValidate();
    } catch (error) {
      throw unusable(this.#side, error);
    }
    return this.#validate(value);
  }

  compileAhead(): void {
    // That may take long.
    if (this.#findings.costly) return;
    try {
      this.#validate ??= this.#createValidate();
    } catch {
      // The first check says why.
    }
  }

  #createValidate(): (value: unknown) => Checked {
    this.#fastValidate = null;
    return loadedValidator()?.createValidate(this.json, this.#findings) as (value: unknown) => Checked;
  }

  #isSurelyValid(value: unknown): boolean {
    if (this.#fastValidate === undefined) {
      const { costly, patterned, namesInherited } = this.#findings;
      this.#fastValidate = costly || patterned || namesInherited ? null : (compileFastValidator(this.json) ?? null);
    }
    return this.#fastValidate?.(value) === true;
  }
}

type JsonSchemaForm = Pick<CompiledSchema, 'json' | 'mirrored'>;

/** What libraries wrote, for as long as their schemas live: several tools, and several servers, may have the same one. */
const jsonSchemaCache: Readonly<Record<Side, WeakMap<StandardSchema, JsonSchemaForm>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

class LibrarySchema implements CompiledSchema {
  readonly needsValidator: boolean = false;
  readonly #schema: StandardSchema;
  readonly #side: Side;

  constructor(schema: StandardSchema, side: Side) {
    assertHasJsonSchema(schema);
    this.#schema = schema;
    this.#side = side;
  }

  get json(): JsonSchema {
    return this.#toJsonSchema().json;
  }

  get mirrored(): readonly MirroredArgument[] {
    return this.#toJsonSchema().mirrored;
  }

  get written(): boolean {
    return jsonSchemaCache[this.#side].has(this.#schema);
  }

  prepare(): undefined {}

  compileAhead(): void {}

  check(value: unknown): Checked | Promise<Checked> {
    return checkStandard(this.#schema, value);
  }

  #toJsonSchema(): JsonSchemaForm {
    const known = jsonSchemaCache[this.#side].get(this.#schema);
    if (known !== undefined) return known;
    try {
      const described = describeStandard(this.#schema, this.#side);
      const json = this.#side === 'input' ? asObjectSchema(described) : described;
      const written = { json, mirrored: this.#side === 'input' ? mirroredArguments(json) : none };
      jsonSchemaCache[this.#side].set(this.#schema, written);
      return written;
    } catch (error) {
      throw unusable(this.#side, error);
    }
  }
}

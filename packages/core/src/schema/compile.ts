import { briefJson } from '../jsonrpc/text.ts';
import type { JsonSchema, JsonSchemaKeywords, Schema, StandardSchema } from './infer.ts';
import { type Findings, inspectSchema } from './inspect.ts';
import { isSchemaObject, keywordOf, typeNames, unboundKeywords } from './keywords.ts';
import { type MirroredArgument, mirroredArguments } from './mirrored-arguments.ts';
import { type Checked, quoteShort } from './problems.ts';
import { type FastValidator, compileFastValidator } from './fast-validate.ts';
import { isShape, shapeToSchema } from './shape.ts';
import { assertHasJsonSchema, checkStandard, describeStandard, isStandardSchema, type Side } from './standard.ts';
import { countFastCheck, loadedValidator, loadValidator } from './validator.ts';

/** A compiled schema: publishes its JSON Schema and validates values. */
export interface CompiledSchema {
  /** The JSON Schema for the wire. */
  readonly json: JsonSchema;
  /** False until a schema library has produced `json`, which happens on first access and may fail. */
  readonly written: boolean;
  /** The arguments that clients mirror in headers; known together with `json`. */
  readonly mirrored: readonly MirroredArgument[];
  /**
   * Validates a value. Synchronous for a plain JSON Schema, unless it needs the validator and that is not loaded yet.
   */
  check(value: unknown): Checked | Promise<Checked>;
  /** Loads what `check` needs to run synchronously for this value; undefined if nothing is missing. */
  prepare(value: unknown): Promise<void> | undefined;
  /** False for a schema of a library, which has its own validator. */
  readonly needsValidator: boolean;
  /** True if valid values need no validator: the fast path has a check for each keyword. */
  readonly isFast: boolean;
  /** Compiles the validator ahead of the first `check`. Call it after the validator is loaded. */
  compileAhead(): void;
}

/**
 * Compiles a schema of any supported form. Throws a `TypeError` with a remedy if it can't be used. Does not convert the
 * schema of a library to JSON Schema yet: with many tools that would dominate start-up.
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
    throw unusableSchema(side, error);
  }
}

function unusableSchema(side: Side, cause: unknown): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TypeError(`The ${side} schema can't be used: ${reason}`, { cause });
}

/** True for an object that can only be a JSON Schema. Allocates nothing, since most schemas are. */
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

/** True for functions, and for schemas of library versions without `~standard`. */
function isNotData(value: unknown): boolean {
  if (typeof value === 'function') return !('~standard' in value);
  return isSchemaObject(value) && !('~standard' in value) && typeof (value as { parse?: unknown }).parse === 'function';
}

/** Rejects a bare map of properties, which only looks like a JSON Schema. */
function asJsonSchema(schema: JsonSchema | JsonSchemaKeywords): JsonSchema {
  const json = schema as JsonSchema;
  if (typeof json.type === 'string' || Array.isArray(json.type)) return json;
  const members = Object.entries(json);
  const found = members.find(([name, value]) => isMisplacedProperty(name, value));
  // Beside a keyword it is an unknown member, which JSON Schema allows.
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

/** True for a JSON Schema keyword with a valid value. */
function isKeyword(name: string, value: unknown): boolean {
  const keyword = keywordOf(name);
  if (keyword === undefined) return unboundKeywords.has(name);
  return keyword.holds !== undefined || keyword.fits(value);
}

/** The protocol requires `type: object` at the root of an input schema. */
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
  #isCompiled = false;
  /** Undefined until first needed, null if the schema has no fast validator. */
  #fastValidate: FastValidator | null | undefined;

  constructor(schema: JsonSchema, side: Side) {
    this.#side = side;
    this.json = side === 'input' ? asObjectSchema(schema) : schema;
    this.#findings = inspectSchema(this.json);
    this.mirrored = this.#findings.marked && side === 'input' ? mirroredArguments(this.json) : none;
  }

  get isFast(): boolean {
    return this.#fastValidator() !== null;
  }

  prepare(value: unknown): Promise<void> | undefined {
    return loadedValidator !== undefined || this.#isSurelyValid(value) ? undefined : loadValidator();
  }

  /** Replaced by the compiled validator as soon as there is one. */
  check(value: unknown): Checked | Promise<Checked> {
    if (loadedValidator === undefined) {
      if (!this.#isSurelyValid(value)) return loadValidator().then(() => this.check(value));
      countFastCheck();
      return { ok: true, value };
    }
    try {
      this.#compile(loadedValidator);
    } catch (error) {
      throw unusableSchema(this.#side, error);
    }
    return this.check(value);
  }

  compileAhead(): void {
    // Compilation may take long.
    if (this.#findings.costly || this.#isCompiled || loadedValidator === undefined) return;
    try {
      this.#compile(loadedValidator);
    } catch {
      // The first check says why.
    }
  }

  #compile({ createValidate }: NonNullable<typeof loadedValidator>): void {
    this.#fastValidate = null;
    this.check = createValidate(this.json, this.#findings);
    this.#isCompiled = true;
  }

  #isSurelyValid(value: unknown): boolean {
    return this.#fastValidator()?.(value) === true;
  }

  #fastValidator(): FastValidator | null {
    if (this.#fastValidate === undefined) {
      const { costly, patterned, namesInherited } = this.#findings;
      this.#fastValidate = costly || patterned || namesInherited ? null : (compileFastValidator(this.json) ?? null);
    }
    return this.#fastValidate;
  }
}

type JsonSchemaForm = Pick<CompiledSchema, 'json' | 'mirrored'>;

/** Caches converted schemas: several tools and servers may share one. */
const jsonSchemaCache: Readonly<Record<Side, WeakMap<StandardSchema, JsonSchemaForm>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

class LibrarySchema implements CompiledSchema {
  readonly needsValidator: boolean = false;
  readonly isFast: boolean = true;
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
      throw unusableSchema(this.#side, error);
    }
  }
}

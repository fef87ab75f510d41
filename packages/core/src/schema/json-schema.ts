import { Build, Check, ErrorContext, ErrorSchema, Stack } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { type Checked, maxFaults, parsePointer, type Problem, valueAtPath } from './problems.ts';
import { registerFormats, toValidatorDialect } from './dialect.ts';
import { explain } from './explain.ts';
import type { JsonSchema } from './infer.ts';
import type { Findings } from './inspect.ts';
import { PatternCache, replacePatterns, withLinearPatterns } from './patterns/compile-pattern.ts';
import { TimeBudget } from './time-budget.ts';
import { loadVm, CheckTimeout, runWithTimeout } from './time-limit.ts';
import { decodeFragment } from './references.ts';
import { isSchemaObject } from './keywords.ts';

/** The maximum members of an object that are inspected to explain problems, beside those in the schema. */
const explainedMembers = 1000;

/** The time limit of explaining the problems of a value, if its schema may be slow. */
const explainMs = 200;

/** The time limit of a check if code generation is forbidden. */
const uncompiledCheckMs = 500;

/** The time limit of a check with a schema that may be slow. */
const checkMs = 100;

/** The time limit of compiling a schema that may be slow. */
const compileMs = 2 * 1000;

Settings.Set({ maxErrors: maxFaults });
registerFormats();

const milliseconds = {
  compile: compileMs,
  check: checkMs,
  checkUncompiled: uncompiledCheckMs,
  explain: explainMs,
};

/** Loads what `createValidate` needs. */
export const prepareValidator: () => Promise<void> = loadVm;

/** Creates the function that validates values. It bundles the validator, so this file is only imported lazily. */
export function createValidate(given: JsonSchema, findings: Findings): (value: unknown) => Checked {
  const schema = toValidatorDialect(given);
  const patterns = findings.patterned ? new PatternCache() : undefined;
  const budget = new TimeBudget();
  const { fits, costly } = createCheck({ schema, patterns, costly: findings.costly }, budget);
  let linear: JsonSchema | undefined;
  return (value) => {
    try {
      const seen = findings.namesInherited ? withoutPrototypes(value) : value;
      if (fits(seen)) return { ok: true, value };
      linear ??= withLinearPatterns(schema, patterns);
      const explainIt = () => problemsOf(schema, linear as JsonSchema, seen);
      return { ok: false, problems: costly ? budget.run(milliseconds.explain, explainIt) : explainIt() };
    } catch (error) {
      return { ok: false, problems: [{ path: '', message: whyUnchecked(error) }] };
    }
  };
}

interface Known {
  readonly schema: JsonSchema;
  /** Undefined for a schema without patterns. */
  readonly patterns: PatternCache | undefined;
  /** It needs a time limit, whatever its patterns. */
  readonly costly: boolean;
}

interface ReadyCheck {
  fits(value: unknown): boolean;
  /** It needs a time limit. */
  readonly costly: boolean;
}

function createCheck(known: Known, budget: TimeBudget): ReadyCheck {
  const compiled = known.costly ? compileWithinTime(known) : compile(known);
  const ready = compiled ?? interpret(known);
  if (!ready.costly) return ready;
  const limit = compiled === undefined ? milliseconds.checkUncompiled : milliseconds.check;
  return { costly: true, fits: (value) => budget.run(limit, () => ready.fits(value)) };
}

function interpret({ schema, patterns, costly }: Known): ReadyCheck {
  const linear = withLinearPatterns(schema, patterns);
  return { fits: (value) => Check(linear, value), costly: costly || patterns !== undefined };
}

function compileWithinTime(known: Known): ReturnType<typeof compile> {
  try {
    return runWithTimeout(milliseconds.compile, () => compile(known));
  } catch (error) {
    throw error instanceof CheckTimeout ? new Error('it takes too long to compile', { cause: error }) : error;
  }
}

/** Undefined if this process may not generate code, and for schemas too large for one function. */
function compile({ schema, patterns, costly }: Known): ReadyCheck | undefined {
  try {
    const build = Build(schema);
    const hasCostly = replacePatterns(build.External().variables, patterns);
    const validator = build.Evaluate();
    if (!validator.IsAccelerated()) return undefined;
    return { fits: validator.Check.bind(validator), costly: costly || hasCostly };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `linear` is the same schema with patterns that are quick to test. */
function problemsOf(root: JsonSchema, linear: JsonSchema, given: unknown): Problem[] {
  const value = withFewMembers(given, root);
  const problems = explainValue(root, linear, value);
  if (problems.length > 0 || value === given) return problems;
  return [{ path: '', message: `does not match the schema beyond the first ${mostMembers} members of an object` }];
}

function explainValue(root: JsonSchema, linear: JsonSchema, value: unknown): Problem[] {
  const stack = Stack({}, linear);
  const valueAt = (path: string): unknown => valueAtPath(value, parsePointer(path));
  return explain({
    valueAt,
    schemaAt: (path) => wholeSchemaAt(root, path),
    faultsAt({ schemaPath, instancePath }) {
      const schema = schemaAt(linear, schemaPath);
      const context = new ErrorContext();
      if (schema !== undefined) ErrorSchema(stack, context, schemaPath, instancePath, schema, valueAt(instancePath));
      return context.GetErrors();
    },
  });
}

function whyUnchecked(error: unknown): string {
  if (error instanceof CheckTimeout) return 'took too long to check';
  if (error instanceof RangeError) return 'is nested too deeply to check';
  throw error;
}

/** The validator looks properties up with `in`, which finds inherited ones too. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  const bare: Record<string, unknown> = Object.create(null);
  for (const [name, part] of Object.entries(value)) bare[name] = withoutPrototypes(part);
  return bare;
}

/** The maximum number of members to explain per object, beside those the schema names. */
const mostMembers: number = explainedMembers;

/**
 * Shortens huge objects before they are explained: the validator visits every member once per branch of a union. Keeps
 * members the schema names. Returns the value itself if no object is huge.
 */
function withFewMembers(value: unknown, schema: JsonSchema): unknown {
  let names: ReadonlySet<string> | undefined;
  const isKept = (name: string, index: number): boolean => {
    if (index < mostMembers) return true;
    names ??= namesIn(schema);
    return names.has(name);
  };
  const shorten = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) {
      const items = part.map(shorten);
      return items.some((item, index) => item !== part[index]) ? items : part;
    }
    const all = Object.entries(part);
    const kept = all.length > mostMembers ? all.filter(([name], index) => isKept(name, index)) : all;
    // No prototype, so that no name is special.
    const copy: Record<string, unknown> = Object.create(null);
    let isChanged = kept.length < all.length;
    for (const [name, member] of kept) {
      copy[name] = shorten(member);
      isChanged ||= copy[name] !== member;
    }
    return isChanged ? copy : part;
  };
  return shorten(value);
}

/** Every member name and string in a schema: a superset of the property names. */
function namesIn(schema: unknown, names: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof schema === 'string') names.add(schema);
  else if (Array.isArray(schema)) for (const item of schema) namesIn(item, names);
  else if (isSchemaObject(schema)) {
    for (const [name, part] of Object.entries(schema)) {
      names.add(name);
      namesIn(part, names);
    }
  }
  return names;
}

const mostHops = 8;

/**
 * The schema at a path of the validator, such as `#/properties/a/items`. Such paths skip references, so they are
 * followed on the way. Undefined if that fails.
 */
function schemaAt(root: JsonSchema, schemaPath: string): JsonSchema | boolean | undefined {
  let node: unknown = root;
  for (const segment of parsePointer(schemaPath)) node = valueAtPath(withReferred(root, node), [segment]);
  return typeof node === 'boolean' || isObject(node) ? node : undefined;
}

/** The schema at a path, merged with the schemas it references. */
function wholeSchemaAt(root: JsonSchema, schemaPath: string): JsonSchema | undefined {
  const whole = withReferred(root, schemaAt(root, schemaPath));
  return isObject(whole) ? whole : undefined;
}

function withReferred(root: JsonSchema, node: unknown): unknown {
  let whole = node;
  let referring = node;
  for (let hop = 0; hop < mostHops; hop += 1) {
    const ref = valueAtPath(referring, ['$ref']);
    if (typeof ref !== 'string' || !ref.startsWith('#')) return whole;
    referring = valueAtPath(root, parsePointer(decodeFragment(ref)));
    whole = { ...Object(referring), ...Object(whole) };
  }
  return whole;
}

function isObject(node: unknown): node is JsonSchema {
  return typeof node === 'object' && node !== null;
}

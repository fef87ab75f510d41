import { Build, Check, ErrorContext, ErrorSchema, Stack } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { Checked, Problem } from './problems.ts';
import { forValidator } from './dialect.ts';
import { explain } from './explain.ts';
import { completeFormats } from './formats.ts';
import type { JsonSchema } from './infer.ts';
import type { Findings } from './inspect.ts';
import { mostFaults, partAt, segmentsOf } from './problems.ts';
import { CheckedPatterns } from './patterns/checked-pattern.ts';
import { checkPatterns, withLinearPatterns } from './patterns/in-schema.ts';
import { schemaAt, wholeSchemaAt } from './schema-path.ts';
import { mostMembers, withFewMembers } from './few-members.ts';
import { TimeBudget } from './time-budget.ts';
import { prepareTimeLimit, TimeUp, withinTime } from './time-limit.ts';
import { limits } from '../limits.ts';

Settings.Set({ maxErrors: mostFaults });
completeFormats();

const milliseconds = {
  compile: limits.schema.compileMs.value,
  check: limits.schema.checkMs.value,
  checkUncompiled: limits.schema.uncompiledCheckMs.value,
  explain: limits.schema.explainMs.value,
};

/** Loads what `createValidate` needs. */
export const prepareValidator: () => Promise<void> = prepareTimeLimit;

/** Makes the function that checks values. It brings the validator with it, so this file is only imported lazily. */
export function createValidate(given: JsonSchema, findings: Findings): (value: unknown) => Checked {
  const schema = forValidator(given);
  const patterns = findings.patterned ? new CheckedPatterns() : undefined;
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
  /** Absent where it has none. */
  readonly patterns: CheckedPatterns | undefined;
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
    return withinTime(milliseconds.compile, () => compile(known));
  } catch (error) {
    throw error instanceof TimeUp ? new Error('it takes too long to compile', { cause: error }) : error;
  }
}

/** Undefined where this process may not make code from strings, and for schemas too large for one function. */
function compile({ schema, patterns, costly }: Known): ReadyCheck | undefined {
  try {
    const build = Build(schema);
    const hasCostly = checkPatterns(build.External().variables, patterns);
    const validator = build.Evaluate();
    if (!validator.IsAccelerated()) return undefined;
    return { fits: (value) => validator.Check(value), costly: costly || hasCostly };
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
  const valueAt = (path: string): unknown => partAt(value, segmentsOf(path));
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
  if (error instanceof TimeUp) return 'took too long to check';
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

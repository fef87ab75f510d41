import { Check, Compile, ErrorContext, ErrorSchema, Stack } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { Checked, Problem } from './problems.ts';
import { explain } from './explain.ts';
import type { JsonSchema } from './infer.ts';
import type { Findings } from './inspect.ts';
import { partAt, segmentsOf } from './problems.ts';
import { schemaAt, wholeSchemaAt } from './schema-path.ts';
import { TimeUp, withinTime } from './time-limit.ts';
import { limits } from '../limits.ts';

// More than are ever shown: several faults often have one cause.
Settings.Set({ maxErrors: 200 });

const milliseconds = {
  compile: limits.schema.compileMs.value,
  check: limits.schema.checkMs.value,
  checkUncompiled: limits.schema.uncompiledCheckMs.value,
  explain: limits.schema.explainMs.value,
};

/** Makes the function that checks values. It brings the validator with it, so this file is only imported lazily. */
export function createValidate(schema: JsonSchema, findings: Findings): (value: unknown) => Checked {
  const fits = createCheck(schema, findings);
  return (value) => {
    try {
      const seen = findings.namesInherited ? withoutPrototypes(value) : value;
      if (fits(seen)) return { ok: true, value };
      const explainIt = () => problemsOf(schema, seen);
      return { ok: false, problems: findings.costly ? withinTime(milliseconds.explain, explainIt) : explainIt() };
    } catch (error) {
      return { ok: false, problems: [{ path: '', message: whyUnchecked(error) }] };
    }
  };
}

function createCheck(schema: JsonSchema, { costly }: Findings): (value: unknown) => boolean {
  const compiled = costly ? compileWithinTime(schema) : compile(schema);
  const fits = compiled ?? ((value) => Check(schema, value));
  if (!costly) return fits;
  const limit = compiled === undefined ? milliseconds.checkUncompiled : milliseconds.check;
  return (value) => withinTime(limit, () => fits(value));
}

function compileWithinTime(schema: JsonSchema): ReturnType<typeof compile> {
  try {
    return withinTime(milliseconds.compile, () => compile(schema));
  } catch (error) {
    throw error instanceof TimeUp ? new Error('it takes too long to compile', { cause: error }) : error;
  }
}

/** Undefined where this process may not make code from strings, and for schemas too large for one function. */
function compile(schema: JsonSchema): ((value: unknown) => boolean) | undefined {
  try {
    const validator = Compile(schema);
    return validator.IsAccelerated() ? (value) => validator.Check(value) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function problemsOf(root: JsonSchema, value: unknown): Problem[] {
  const stack = Stack({}, root);
  const valueAt = (path: string): unknown => partAt(value, segmentsOf(path));
  return explain({
    valueAt,
    schemaAt: (path) => wholeSchemaAt(root, path),
    faultsAt({ schemaPath, instancePath }) {
      const schema = schemaAt(root, schemaPath);
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

import { isRecord, type Json, type Schema } from '../../shared/json.ts';
import type { Option } from './field.ts';
import { type Budget, createBudget, resolveSchema, spendBudget } from './resolve-schema.ts';

/** Schema without `null`, and whether it allows `null`. */
export function withoutNull(schema: Schema, root: unknown): { schema: Schema; nullable: boolean } {
  if (schema.nullable === true) return { schema, nullable: true };
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((each) => each !== 'null') as string[];
    if (types.length === 0) return { schema, nullable: false };
    const rest = { ...schema, type: types.length === 1 ? types[0] : types };
    const { enum: values } = schema;
    return {
      schema: Array.isArray(values) ? { ...rest, enum: values.filter((each) => each !== null) } : rest,
      nullable: true,
    };
  }
  for (const name of ['anyOf', 'oneOf']) {
    const branches = schema[name];
    if (!Array.isArray(branches)) continue;
    const others = branches.filter((each) => resolveSchema(each, root).type !== 'null');
    if (others.length === branches.length || others.length === 0) continue;
    const { [name]: _, ...rest } = schema;
    if (others.length === 1) return { schema: { ...resolveSchema(others[0], root), ...rest }, nullable: true };
    return { schema: { ...schema, [name]: others }, nullable: true };
  }
  return { schema, nullable: false };
}

/** Declared or implied type of a schema. */
export function typeOf(schema: Schema): string | readonly string[] | undefined {
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type))
    return schema.type.length === 1 ? (schema.type[0] as string) : (schema.type as string[]);
  if (isRecord(schema.properties)) return 'object';
  if (isRecord(schema.items) || Array.isArray(schema.prefixItems)) return 'array';
  return undefined;
}

/** Allowed values, if the schema lists them. */
export function optionsOf(schema: Schema, root: unknown): readonly Option[] | undefined {
  if ('const' in schema)
    return [{ value: schema.const as Json, label: nonEmptyString(schema.title) ?? plainLabel(schema.const) }];
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? (schema.enumNames as unknown[]) : [];
    return schema.enum.map((value, index) => ({
      value: value as Json,
      label: nonEmptyString(names[index]) ?? plainLabel(value),
    }));
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const all = branches.map((each) => resolveSchema(each, root));
  if (!all.every((each) => 'const' in each)) return undefined;
  return all.map((each) => ({
    value: each.const as Json,
    label: nonEmptyString(each.title) ?? plainLabel(each.const),
  }));
}

function plainLabel(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** Format and encoding of a string schema. */
export function textFieldInfo(schema: Schema): {
  format?: string | undefined;
  isFile: boolean;
  mediaType?: string | undefined;
} {
  const format = nonEmptyString(schema.format);
  const isFile = schema.contentEncoding === 'base64' || format === 'byte' || format === 'binary';
  return { format, isFile, mediaType: nonEmptyString(schema.contentMediaType) };
}

/** A non-empty string. */
export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Index of the branch that matches a value best; the first for no value. */
export function bestBranch(branches: readonly Schema[], value: Json | undefined, root: unknown): number {
  if (value === undefined) return 0;
  const budget = createBudget(maxChecks);
  const scores = branches.map((branch) => scoreFit(branch, value, { root, depth: 0, budget }));
  return scores.indexOf(maxScore(scores));
}

/** Label of a branch. */
export function branchName(branch: Schema, index: number): string {
  if (typeof branch.title === 'string' && branch.title !== '') return branch.title;
  const kind = discriminator(branch);
  if (kind !== undefined) return kind;
  if (typeof branch.type === 'string') {
    const names = isRecord(branch.properties) ? Object.keys(branch.properties).slice(0, 3).join(', ') : '';
    return names === '' ? branch.type : `${branch.type} (${names})`;
  }
  return `variant ${index + 1}`;
}

/** Many unions have a discriminator: a property with one value, such as `type: "circle"`. */
function discriminator(branch: Schema): string | undefined {
  if (!isRecord(branch.properties)) return undefined;
  const fixed = Object.values(branch.properties).find((each) => isRecord(each) && typeof each.const === 'string');
  return isRecord(fixed) ? String(fixed.const) : undefined;
}

// Limits on depth and number of checks.
const maxDepth = 4;
const maxChecks = 5000;

/** State of a match. */
interface FitContext {
  readonly root: unknown;
  readonly depth: number;
  readonly budget: Budget;
}

function maxScore(scores: readonly number[]): number {
  return scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
}

/** Rough score of how well a value matches a schema: negative if it does not. */
function scoreFit(given: unknown, value: Json, { root, depth, budget }: FitContext): number {
  if (depth > maxDepth || !spendBudget(budget)) return 0;
  const schema = resolveSchema(given, root);
  const deeper = { root, depth: depth + 1, budget };
  if ('const' in schema) return JSON.stringify(schema.const) === JSON.stringify(value) ? 4 : -8;
  if (Array.isArray(schema.enum)) {
    return schema.enum.some((each) => JSON.stringify(each) === JSON.stringify(value)) ? 3 : -8;
  }
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return Math.max(-8, maxScore(union.map((each) => scoreFit(each, value, deeper))));
  const declared = schema.type;
  const types = Array.isArray(declared) ? declared : declared === undefined ? undefined : [declared];
  if (types !== undefined && !types.some((type) => isOfType(value, type))) return -8;
  let score = types === undefined ? 0 : 1;
  if (isRecord(value) && isRecord(schema.properties)) {
    const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
    score -= 2 * required.filter((name) => !Object.hasOwn(value, name)).length;
    for (const [name, each] of Object.entries(value)) {
      const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      score += property === undefined ? -1 : 1 + scoreFit(property, each, deeper);
    }
  }
  return score;
}

function isOfType(value: Json, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

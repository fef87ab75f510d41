import { type Budget, createBudget, spendBudget } from './resolve-schema.ts';
import { isRecord, type Json, type Schema } from './json.ts';
import { resolveSchema } from './resolve-schema.ts';

/** Index of the branch that matches a value best; the first for no value. */
export function bestBranch(branches: readonly Schema[], value: Json | undefined, root: unknown): number {
  if (value === undefined) return 0;
  const budget = createBudget(maxChecks);
  const scores = branches.map((branch) => scoreFit(branch, value, { root, depth: 0, looks: budget }));
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
  readonly looks: Budget;
}

function maxScore(scores: readonly number[]): number {
  return scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
}

/** Rough score of how well a value matches a schema: negative if it does not. */
function scoreFit(given: unknown, value: Json, { root, depth, looks: budget }: FitContext): number {
  if (depth > maxDepth || !spendBudget(budget)) return 0;
  const schema = resolveSchema(given, root);
  const deeper = { root, depth: depth + 1, looks: budget };
  if ('const' in schema) return JSON.stringify(schema.const) === JSON.stringify(value) ? 4 : -8;
  if (Array.isArray(schema.enum)) {
    return schema.enum.some((each) => JSON.stringify(each) === JSON.stringify(value)) ? 3 : -8;
  }
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) return Math.max(-8, maxScore(union.map((each) => scoreFit(each, value, deeper))));
  const wanted = schema.type;
  const types = Array.isArray(wanted) ? wanted : wanted === undefined ? undefined : [wanted];
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

import type { AdaptOptions } from '@ccmcp/core/client-quirks';
import type { ResultBudgetOptions } from '@ccmcp/core/result-budget';
import type { ToolSearchOptions } from '@ccmcp/core/tool-search';
import { isRecord } from '../system/record.ts';

/** What the top level of a gateway file switches on, for all its servers together. */
export interface GatewayFeatures {
  toolSearch?: Pick<ToolSearchOptions, 'above' | 'always' | 'limit'>;
  resultBudget?: Pick<ResultBudgetOptions, (typeof budgetMembers)[number]>;
  adaptToClient?: AdaptOptions;
}

/** Returns what is wrong with the value of a member. */
type Check = (value: unknown) => string | undefined;

const budgetMembers = ['tokens', 'bytes', 'keepMs', 'keptPerCaller', 'keptInAll'] as const;

/** The members of the top level beside "mcpServers": `true`, `false` or an object. Each has a check for the members of that. */
export const fileFeatures: Readonly<Record<keyof GatewayFeatures, Readonly<Record<string, Check>>>> = {
  toolSearch: {
    above: (value) => (isAbove(value) ? undefined : 'a whole number, or { "tools": 40, "tokens": 5000 }'),
    always: (value) => (isTexts(value) ? undefined : 'a list of names'),
    limit: (value) => (isWhole(value) && value >= 1 && value <= 20 ? undefined : 'a whole number from 1 to 20'),
  },
  resultBudget: Object.fromEntries(
    budgetMembers.map((name) => [name, (value) => leastOf(name, value)] satisfies [string, Check]),
  ),
  adaptToClient: {
    except: (value) => (isTexts(value) ? undefined : 'a list of ids of quirks'),
  },
};

/** True for a name of a feature. */
export function isFeature(name: string): name is keyof GatewayFeatures {
  return Object.hasOwn(fileFeatures, name);
}

/** What is wrong with the value of a feature; undefined: nothing. */
export function checkFeature(name: keyof GatewayFeatures, value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined;
  const checks = fileFeatures[name];
  const names = Object.keys(checks);
  if (!isRecord(value)) return `must be true, false or an object with ${listOf(names)}`;
  for (const [key, each] of Object.entries(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) return `has ${listOf(names)}, and no "${key.slice(0, 100)}"`;
    const needed = check(each);
    if (needed !== undefined) return `needs ${needed} in "${key}"`;
  }
  return undefined;
}

/** What a feature of the file switches on. */
export function readFeature(name: keyof GatewayFeatures, value: unknown): GatewayFeatures {
  return value === false ? {} : { [name]: value === true ? {} : value };
}

/** The least values are those of `resultBudget`. */
function leastOf(name: (typeof budgetMembers)[number], value: unknown): string | undefined {
  const least = { tokens: 500, bytes: 2000, keepMs: 1, keptPerCaller: 0, keptInAll: 0 }[name];
  return isWhole(value) && value >= least ? undefined : `a whole number of at least ${least}`;
}

function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length === 1 ? String(quoted[0]) : `${quoted.slice(0, -1).join(', ')} and ${String(quoted.at(-1))}`;
}

function isAbove(value: unknown): boolean {
  if (isWhole(value)) return true;
  if (!isRecord(value)) return false;
  const { tools, tokens, ...rest } = value;
  const given = [tools, tokens].filter((each) => each !== undefined);
  return given.length > 0 && given.every(isWhole) && Object.keys(rest).length === 0;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

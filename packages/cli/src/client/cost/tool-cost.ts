import type { IndexedTool } from '@ccmcp/core/tool-search';
import { textTokens, toolTokens } from '@ccmcp/core/client';
import { searchToolListings } from '@ccmcp/core/tool-search';

/** The estimated tokens of a tool in each conversation, and where they come from. */
export interface ToolCost {
  readonly name: string;
  readonly tokens: number;
  /** Their sum is `tokens`. `inputSchema` is the rest of the schema, without descriptions. */
  readonly parts: {
    readonly name: number;
    readonly description: number;
    readonly arguments: number;
    readonly inputSchema: number;
  };
  /** The descriptions in the input schema, by the path of the argument. */
  readonly arguments: Readonly<Record<string, number>>;
  /** Parts that only some clients pass to their model: they are not in `tokens`. */
  readonly beside: { readonly title: number; readonly outputSchema: number; readonly annotations: number };
}

/** Savings of each measure, in tokens. */
export interface Savings {
  /** `list` remains, and a search returns about `search`. */
  readonly toolSearch: { readonly list: number; readonly saved: number; readonly search: number };
  /** Saved by cutting descriptions of tools and arguments to `over` tokens. */
  readonly descriptions: { readonly over: number; readonly count: number; readonly saved: number };
  /** Saved by omitting output schemas, for clients that pass them to the model. */
  readonly outputSchemas: { readonly saved: number };
}

/** The cost of one server. */
export interface ServerCost {
  readonly tokens: number;
  readonly instructions: number;
  /** The most expensive first. */
  readonly tools: readonly ToolCost[];
}

/** How many tools a search gives by default. */
const toolsOfSearch = 5;
/** Deeper descriptions count as part of the schema. */
const maxDepth = 100;

/** Measures what a server costs a model. */
export function measureServer(tools: readonly IndexedTool[], instructions = ''): ServerCost {
  const costs = tools.map(measureTool).sort((one, other) => other.tokens - one.tokens);
  const own = textTokens(instructions);
  return { tokens: own + sum(costs.map(({ tokens }) => tokens)), instructions: own, tools: costs };
}

/** The savings of each measure over all these tools. */
export function savingsOf(tools: readonly ToolCost[], over: number): Savings {
  const whole = sum(tools.map(({ tokens }) => tokens));
  const list = Math.min(whole, sum(searchToolListings.map(toolTokens)));
  const long = tools
    .flatMap(({ parts, arguments: described }) => [parts.description, ...Object.values(described)])
    .filter((tokens) => tokens > over);
  return {
    toolSearch: {
      list,
      saved: whole - list,
      search: tools.length === 0 ? 0 : Math.round((Math.min(toolsOfSearch, tools.length) * whole) / tools.length),
    },
    descriptions: { over, count: long.length, saved: sum(long) - over * long.length },
    outputSchemas: { saved: sum(tools.map(({ beside }) => beside.outputSchema)) },
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function measureTool(tool: IndexedTool): ToolCost {
  const { name, title, description = '', inputSchema, outputSchema, annotations } = tool;
  const tokens = toolTokens(tool);
  const described = argumentDescriptions(inputSchema);
  // The remainder counts as schema, so that rounded parts add up.
  let left = tokens;
  const take = (part: number): number => {
    const taken = Math.min(part, left);
    left -= taken;
    return taken;
  };
  const parts = {
    name: take(textTokens(name)),
    description: take(textTokens(description)),
    arguments: take(sum(Object.values(described))),
  };
  return {
    name,
    tokens,
    parts: { ...parts, inputSchema: left },
    arguments: described,
    beside: { title: jsonTokens(title), outputSchema: jsonTokens(outputSchema), annotations: jsonTokens(annotations) },
  };
}

function jsonTokens(value: unknown): number {
  return value === undefined ? 0 : textTokens(JSON.stringify(value));
}

/** The tokens of each description in a schema, by its path: `filter.name`, or `tags[]` for the items of a list. */
function argumentDescriptions(schema: unknown): Record<string, number> {
  const found: Record<string, number> = Object.create(null) as Record<string, number>;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > maxDepth) return;
    const { description, properties, items, anyOf, oneOf, allOf } = value as Record<string, unknown>;
    if (typeof description === 'string' && path !== '') found[path] = (found[path] ?? 0) + textTokens(description);
    if (typeof properties === 'object' && properties !== null) {
      for (const [key, each] of Object.entries(properties))
        visit(each, path === '' ? key : `${path}.${key}`, depth + 1);
    }
    visit(items, `${path}[]`, depth + 1);
    for (const alternatives of [anyOf, oneOf, allOf]) {
      if (Array.isArray(alternatives)) for (const each of alternatives) visit(each, path, depth + 1);
    }
  };
  visit(schema, '', 0);
  return found;
}

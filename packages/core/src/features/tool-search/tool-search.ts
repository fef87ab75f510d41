import { textTokens } from '../../client/calls/token-estimate.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import { text } from '../../protocol/content.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import type { Middleware, Next, Operation, Outcome } from '../../server/call/operation.ts';
import { nameMatcher } from '../name-pattern.ts';
import { readRows } from '../read-list.ts';
import { readMoreName } from '../result-budget/kept-pages.ts';
import { callToolName, describeTools } from '../described-tools.ts';
import { addFound, listFound } from './found-tools.ts';
import { searchesNatively } from './native-search.ts';
import { createToolIndex, type ToolHit, type ToolIndex } from './tool-index.ts';

/** Options of `toolSearch`. */
export interface ToolSearchOptions {
  /** The list is shortened if it has more tools, or more tokens by estimate. Default: 40 tools. */
  above?: number | { readonly tools?: number; readonly tokens?: number };
  /** The names of tools that stay in the list; `*` stands for any text. Default: none. */
  always?: readonly string[];
  /** How many tools a search returns if it does not say how many, from 1 to 20. */
  limit?: number;
  /** Ranks the tools for a query in place of the built-in index, such as by embeddings. Gets its hits, the best first. */
  rank?: (query: string, hits: readonly ToolHit[], tools: readonly ToolListing[]) => Awaitable<readonly ToolHit[]>;
  /** Which clients get the whole list, beside those known to search by themselves. */
  exempt?: (operation: Operation) => boolean;
}

/** A search gives at most so many tools. */
const maxHits = 20;

/** The rows of the two tools that are listed instead of all others. */
const searchTool: ToolListing = {
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Finds tools of this server that are not listed. Describe in a few words what you want to do, then call a found tool by its name, or with call_tool if you have no such tool.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What you want to do, such as "resize an image"' },
      limit: { type: 'integer', minimum: 1, maximum: maxHits, description: 'How many tools to return' },
    },
    required: ['query'],
  },
  annotations: { readOnlyHint: true },
};

const callTool: ToolListing = {
  name: callToolName,
  title: 'Call a tool',
  description: 'Calls a tool that search_tools found, with arguments that fit its inputSchema.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool' },
      arguments: { type: 'object', description: 'Its arguments' },
    },
    required: ['name'],
  },
};

/** The two tools that `toolSearch` lists in place of a long list, as clients see them. */
export const searchToolListings: readonly ToolListing[] = [searchTool, callTool];

/** The capability of clients that read tools by group. */
const groupsExtension = 'io.modelcontextprotocol/groups';

/** In the params of a list that another `toolSearch` reads, also one of another copy of this library: it is not shortened. */
const wholeList = Symbol.for('@ccmcp/core whole list');

/** On a server with tool search, also that of another copy of this library. */
const mark = Symbol.for('@ccmcp/core tool search');

/** True if `toolSearch` was added to a server. */
export function hasToolSearch(server: object): boolean {
  return mark in server;
}

/** The list of one kind of caller, and what finds tools in it. */
interface Catalog {
  readonly tools: readonly ToolListing[];
  readonly index: ToolIndex<ToolListing>;
  readonly tokens: number;
}

/**
 * Middleware that shortens a long list of tools to a few and `search_tools`. What a search finds can be called directly, and is
 * added to the list of its session; clients that keep the first list use `call_tool`. Clients that search tools themselves get
 * the whole list. On a server that has it already, the one added last counts.
 *
 * @example
 * server.use(toolSearch({ above: 40, always: ['status', 'read_*'] }));
 */
export function toolSearch(options: ToolSearchOptions = {}): Middleware {
  assertKnownOptions('toolSearch', options, ['above', 'always', 'limit', 'rank', 'exempt']);
  const { above = 40, always = [], limit = 5, rank, exempt } = options;
  const { tools: maxTools = Infinity, tokens: maxTokens = Infinity } =
    typeof above === 'number' ? { tools: above } : above;
  // What other middleware refers to in results stays in the list.
  const stays = [readMoreName, ...always].map(nameMatcher);
  const isExempt = (operation: Operation): boolean =>
    searchesNatively(operation.clientInfo) || declaresGroups(operation) || exempt?.(operation) === true;

  const list = async (operation: Operation, next: Next): Promise<Outcome> => {
    if (wholeList in operation.params) return next();
    // It depends on who asks: no cache may give the list of one to another.
    operation.keepPrivate();
    const whole = await next({ ...operation.params, [wholeList]: true });
    // A page of the whole list: whoever has its cursor got the page before it.
    if (operation.params.cursor !== undefined || isExempt(operation)) return whole;
    const catalog = await readCatalog(operation, next, whole);
    if (catalog.tools.length <= maxTools && catalog.tokens <= maxTokens) return whole;
    const found = await listFound(operation);
    const shown = catalog.tools.filter(({ name }) => found.has(name) || stays.some((matches) => matches(name)));
    return { tools: [...searchToolListings, ...shown] };
  };

  const search = async (operation: Operation, next: Next): Promise<Outcome> => {
    const args = readArguments(operation.params.arguments, limit);
    if ('problem' in args) return toError(args.problem);
    const { query, limit: wanted } = args;
    const catalog = await readCatalog(operation, next, await next({ [wholeList]: true }, 'tools/list'));
    const hits = catalog.index.search(query, Math.max(wanted, rank === undefined ? 0 : rankedHits));
    const ranked = rank === undefined ? hits : await rank(query, hits, catalog.tools);
    const tools = ranked.slice(0, wanted).map(({ tool }) => tool);
    const isChanged = await addFound(
      operation,
      tools.map(({ name }) => name),
    );
    if (isChanged && operation.host.capabilities.declared.listChanged)
      operation.notifyLater?.('notifications/tools/list_changed', {});
    return describeHits(describeTools(operation, tools), catalog.tools.length);
  };

  const middleware: Middleware = (operation, next) => {
    if (operation.method === 'tools/list') return list(operation, next);
    if (operation.method !== 'tools/call') return next();
    switch (operation.params.name) {
      case searchTool.name:
        return search(operation, next);
      case callTool.name:
        return toError('call_tool needs "name", the tool to call, and "arguments", an object');
      default:
        return next();
    }
  };
  middleware.install = (server) => void Object.defineProperty(server, mark, { value: true, configurable: true });
  // The request is served as the call it stands for: checked, limited and logged like any other.
  middleware.rewrite = (method, params) =>
    method === 'tools/call' && params.name === callTool.name ? directCall(params) : params;
  return middleware;
}

/** How many hits are given to a function that ranks them. */
const rankedHits = 50;

/** The params of the call that a call of `call_tool` stands for; the same if it names no tool. */
function directCall(params: Params): Params {
  const { arguments: given } = params;
  if (!isObject(given) || typeof given.name !== 'string' || given.name === callTool.name) return params;
  return { ...params, name: given.name, arguments: given.arguments ?? {} };
}

/** The arguments of a search, or the error in them. */
function readArguments(given: unknown, limit: number): { query: string; limit: number } | { problem: string } {
  const { query, limit: wanted = limit } = isObject(given) ? given : {};
  if (typeof query !== 'string' || query.trim() === '') {
    return { problem: 'search_tools needs "query", a text that says what you want to do' };
  }
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 1 || wanted > maxHits) {
    return { problem: `"limit" of search_tools must be a whole number from 1 to ${maxHits}` };
  }
  return { query, limit: wanted };
}

function toError(message: string): CallToolResult {
  return { content: [text(message)], isError: true };
}

function describeHits(tools: readonly ToolListing[], total: number): CallToolResult {
  if (tools.length === 0) {
    return {
      content: [text(`None of the ${total} tools fits. Try other words for what you want to do.`)],
      isError: false,
    };
  }
  const rows = tools.map(({ name, description, inputSchema, annotations }) => ({
    name,
    ...(description !== undefined && { description }),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
  }));
  return { content: [text(JSON.stringify({ tools: rows }))], isError: false };
}

/** Servers whose tools of the same names have been reported. */
const reported = new WeakSet<Operation['host']>();

/** By the first page of the list: it is the same object until the list changes. */
const catalogs = new WeakMap<object, Catalog>();

/** Reads all pages of the list that a caller gets. */
async function readCatalog({ host }: Operation, next: Next, first: Outcome): Promise<Catalog> {
  const known = catalogs.get(first);
  if (known !== undefined) return known;
  const rows = await readRows<ToolListing>(next, 'tools/list', first);
  const tools = rows.filter(({ name }) => name !== searchTool.name && name !== callTool.name);
  if (tools.length < rows.length && !reported.has(host)) {
    reported.add(host);
    const message = 'toolSearch hides the tools "search_tools" and "call_tool" of this server: give them other names';
    host.reportError(message, new Error('Two tools of the same name'));
  }
  const tokens = tools.reduce((sum, tool) => sum + textTokens(JSON.stringify(tool)), 0);
  let index: ToolIndex<ToolListing> | undefined;
  const catalog: Catalog = {
    tools,
    tokens,
    get index() {
      return (index ??= createToolIndex(tools));
    },
  };
  catalogs.set(first, catalog);
  return catalog;
}

function declaresGroups({ clientCapabilities }: Operation): boolean {
  return clientCapabilities.extensions?.[groupsExtension] !== undefined;
}

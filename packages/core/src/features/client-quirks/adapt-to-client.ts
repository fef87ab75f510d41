import { isObject, PreparedResult } from '../../jsonrpc/message.ts';
import { text } from '../../protocol/content.ts';
import type { ToolListing } from '../../protocol/listing.ts';
import type { Result } from '../../protocol/results.ts';
import { assertKnownOptions } from '../../schema/known-options.ts';
import type { Middleware, Operation, Outcome } from '../../server/call/operation.ts';
import { toPage } from '../read-list.ts';
import { callToolName, describeToolsAs } from '../described-tools.ts';
import { type ClientQuirk, clientQuirks, quirksOf } from './client-quirks.ts';
import { createPortableNames, type PortableNames } from './portable-names.ts';
import { fixSchemas } from './portable-schemas.ts';
import { callSubstitute, type SubstituteTool, substitutesFor } from './substitute-tools.ts';

/** Options of `adaptToClient`. */
export interface AdaptOptions {
  /** The ids of quirks that nothing is done about. Default: none. */
  except?: readonly string[];
}

/**
 * Middleware that changes lists and results for clients with known quirks, and for no others: names of tools, schemas,
 * structured results; resources and prompts are tools for clients that read neither.
 *
 * @example
 * server.use(adaptToClient());
 */
export function adaptToClient(options: AdaptOptions = {}): Middleware {
  assertKnownOptions('adaptToClient', options, ['except'] satisfies (keyof AdaptOptions)[]);
  const except = new Set(options.except);
  const known = clientQuirks.map(({ id }) => id);
  for (const id of except) {
    if (!known.includes(id))
      throw new TypeError(`adaptToClient: there is no quirk "${id}"; there are ${known.join(', ')}`);
  }
  const quirksFor = (client: Operation['clientInfo']): ClientQuirk[] =>
    quirksOf(client).filter(({ id }) => !except.has(id));

  const middleware: Middleware = (operation, next) => {
    const { method, params, clientInfo, host } = operation;
    if (method !== 'tools/list' && method !== 'groups/get' && method !== 'tools/call') return next();
    // It depends on who asks: no cache may give the list of one to another.
    if (method === 'tools/list') operation.keepPrivate();
    const quirks = quirksFor(clientInfo);
    if (quirks.length === 0) return next();
    const substitutes = substitutesFor(host, quirks);
    const substitute = method === 'tools/call' ? substitutes.get(params.name as string) : undefined;
    if (substitute !== undefined) return callSubstitute(substitute, params, next);
    const adapt = (outcome: Outcome): Outcome => {
      if (method === 'tools/call') return adaptResult(outcome, quirks, toolOf(operation));
      const names = namesFor(host, quirks, substitutes);
      if (method === 'groups/get') return adaptGroup(outcome, quirks, names);
      return adaptList(outcome, { quirks, names, added: params.cursor === undefined ? substitutes : new Map() });
    };
    if (method === 'tools/call')
      describeToolsAs(operation, (tools) => adaptTools(tools, quirks, namesFor(host, quirks, substitutes)));
    const outcome = next();
    return outcome instanceof Promise ? outcome.then(adapt) : adapt(outcome);
  };
  // Before the call is authorized: the tool is checked, limited and logged by its own name.
  middleware.rewrite = (method, params, { clientInfo, host }) => {
    if (method !== 'tools/call' || typeof params.name !== 'string') return params;
    const quirks = quirksFor(clientInfo);
    if (quirks.every(({ nameCharacters, nameLength }) => nameCharacters === undefined && nameLength === undefined))
      return params;
    const names = namesFor(host, quirks, substitutesFor(host, quirks));
    const name = names.toOriginal(params.name);
    if (name !== params.name) return { ...params, name };
    const { arguments: args } = params;
    if (name !== callToolName || !isObject(args) || typeof args.name !== 'string') return params;
    return { ...params, arguments: { ...args, name: names.toOriginal(args.name) } };
  };
  // Those that stand for resources and prompts may be the only ones.
  middleware.offersTools = true;
  return middleware;
}

type Host = Operation['host'];
type Substitutes = ReadonlyMap<string, SubstituteTool>;

/** By the list of tools, which is another array after each change, and the quirks. */
const namesByList = new WeakMap<readonly object[], Map<string, PortableNames>>();

function namesFor({ catalog }: Host, quirks: readonly ClientQuirk[], substitutes: Substitutes): PortableNames {
  const { list } = catalog.tools;
  const known = namesByList.get(list) ?? new Map<string, PortableNames>();
  namesByList.set(list, known);
  const added = [...substitutes.keys()];
  const key = keyOf(quirks, added);
  const names = known.get(key) ?? createPortableNames([...list.map((entry) => entry.key), ...added], quirks);
  known.set(key, names);
  return names;
}

/** Pages as clients with quirks get them, by the page, which is the same object until the list changes. */
const adapted = new WeakMap<object, Map<string, Outcome>>();

interface Adaptation {
  readonly quirks: readonly ClientQuirk[];
  readonly names: PortableNames;
  /** The tools that stand for resources and prompts, by name. */
  readonly added: Substitutes;
}

function adaptList(outcome: Outcome, { quirks, names, added }: Adaptation): Outcome {
  const known = adapted.get(outcome) ?? new Map<string, Outcome>();
  adapted.set(outcome, known);
  const key = keyOf(quirks, [...added.keys()]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const page = toPage(outcome);
  const { tools } = page;
  const rows = [...added].map(([name, { listing }]) => ({ ...listing, name, annotations: { readOnlyHint: true } }));
  const changed = { ...page, tools: [...adaptTools(tools, quirks, names), ...rows] };
  const result = outcome instanceof PreparedResult ? new PreparedResult(JSON.stringify(changed)) : changed;
  known.set(key, result);
  return result;
}

function adaptGroup(outcome: Outcome, quirks: readonly ClientQuirk[], names: PortableNames): Outcome {
  const result = toPage(outcome);
  const { contents } = result;
  if (!isObject(contents) || !Array.isArray(contents.tools)) return outcome;
  return { ...result, contents: { ...contents, tools: adaptTools(contents.tools, quirks, names) } };
}

function adaptTools(tools: unknown, quirks: readonly ClientQuirk[], names: PortableNames): ToolListing[] {
  return (tools as ToolListing[]).map((tool) => {
    const fixed = quirks.reduce((row, { schema }) => fixSchemas(row, schema), tool);
    return { ...fixed, name: names.toPortable(tool.name) };
  });
}

function adaptResult(outcome: Outcome, quirks: readonly ClientQuirk[], tool: ToolListing | undefined): Outcome {
  const fixes = new Set(quirks.map(({ results }) => results));
  if (!fixes.has('text') && !fixes.has('one')) return outcome;
  const { structuredContent, content, ...rest } = toPage(outcome) as Result & { content?: unknown };
  if (structuredContent === undefined || !Array.isArray(content)) return outcome;
  const json = JSON.stringify(structuredContent);
  const texts = content.flatMap((block: unknown) => (isObject(block) && block.type === 'text' ? [block.text] : []));
  if (texts.some((each) => isSameJson(each, json))) return outcome;
  if (fixes.has('text')) return { ...rest, content: [...(content as unknown[]), text(json)], structuredContent };
  // With an output schema the client expects the structured content; then that has to do.
  return content.length === 0 || tool?.outputSchema !== undefined ? outcome : { ...rest, content };
}

function isSameJson(given: unknown, json: string): boolean {
  if (given === json) return true;
  if (typeof given !== 'string' || given.length < json.length || !/^\s*[[{]/.test(given)) return false;
  try {
    return JSON.stringify(JSON.parse(given)) === json;
  } catch {
    return false;
  }
}

function toolOf({ host, params }: Operation): ToolListing | undefined {
  return host.catalog.tools.entries.get(params.name as string)?.listing;
}

function keyOf(quirks: readonly ClientQuirk[], added: readonly string[]): string {
  return [...quirks.map(({ id }) => id), ...added].join(' ');
}

import type { Icon, Operation, PromptArgument, Result, Server, Tool } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import { HeldDefinitions } from './held-definitions.ts';
import { Links } from './links.ts';
import type { Names } from './names.ts';
import type { ForwardedSkills } from '../forwarded-skills.ts';
import type { ToolOverrides } from './tool-overrides.ts';
import { type Item, type Kind, type Shown, SplitItems } from './split-items.ts';
import { taskSupportOf } from '../upstream-task.ts';
import type { ListedNames } from './unknown-names.ts';
import type { Uris } from './uris.ts';
import { isObject } from '../is-object.ts';

type Row = Readonly<Record<string, unknown>>;

const kinds: readonly Kind[] = ['tools', 'prompts', 'resources', 'templates'];

/** The maximum rows of one list of an upstream. */
const maxRows = 10_000;

/** Options of `Lists`: the server that shows them, the names, and the handler of tools that run as tasks. */
export interface ListsOptions {
  readonly server: Server;
  readonly names: Names;
  readonly uris: Uris;
  readonly skills: ForwardedSkills;
  readonly overrides: ToolOverrides;
  runTask(operation: Operation): Promise<Result>;
  /** Returns errors in the options, given the listed names. */
  check(names: ListedNames): readonly string[];
  /** Called when a list has changed. */
  onChanged?(kind: Kind): void;
  /** Identifies the lists that the caller of a request gets: the key with which they are read. */
  keyOf(operation: Operation): string;
  /** Creates a server for what only some callers get. */
  createServer(): Server;
}

/**
 * Adds the lists of an upstream to a server, under public names. A handshake upstream may have other lists for clients
 * with other capabilities: what is in the lists of all is in this server, and the rest in one server for each of them.
 */
export class Lists {
  readonly #server: Server;
  readonly #names: Names;
  readonly #uris: Uris;
  readonly #skills: ForwardedSkills;
  readonly #overrides: ToolOverrides;
  readonly #runTask: ListsOptions['runTask'];
  readonly #onChanged: ListsOptions['onChanged'];
  readonly #check: ListsOptions['check'];
  /** The shown items. */
  readonly items: SplitItems;
  /** The upstream names, including hidden ones, by key. */
  readonly #listed = new Map<string, { tools: string[]; prompts: string[] }>();
  /** Reported errors in the options. */
  readonly #reported = new Set<string>();
  /** Errors in the options, given the last lists. */
  warnings: readonly string[] = [];
  /** What is in none of them, because it differs from the lock. */
  readonly held: HeldDefinitions;
  /** The URIs in results. */
  readonly links: Links = new Links();

  constructor(options: ListsOptions) {
    const { server, names, uris, skills, overrides, runTask, check, onChanged, keyOf, createServer } = options;
    this.#server = server;
    this.items = new SplitItems({ server, keyOf, createServer });
    this.held = new HeldDefinitions(server);
    this.#names = names;
    this.#uris = uris;
    this.#skills = skills;
    this.#overrides = overrides;
    this.#runTask = runTask;
    this.#onChanged = onChanged;
    this.#check = check;
  }

  /** True for a called tool that the upstream runs as a task only. */
  requiresTask(operation: Operation): boolean {
    return this.items.find('tools', operation.params.name as string, operation)?.requiresTask === true;
  }

  /** The called tool, as it is shown to the caller. */
  toolOf(operation: Operation): Tool | undefined {
    return this.items.find('tools', operation.params.name as string, operation)?.item as Tool | undefined;
  }

  /** Whether the upstream may have a resource that it does not list, such as one that a tool made. */
  unlisted(uri: string): 'known' | 'likely' | undefined {
    if (this.links.has(uri) || this.#uris.isMarked(uri)) return 'known';
    const scheme = uri.slice(0, uri.indexOf(':') + 1);
    return scheme !== '' && this.items.hasScheme(scheme) ? 'likely' : undefined;
  }

  /** True for a request of something with the prefix of this upstream, whether it is there or not. */
  isMarked({ method, params: { name, uri } }: Operation): boolean {
    if (method === 'resources/read') return typeof uri === 'string' && this.#uris.isMarked(uri);
    const isNamed = method === 'tools/call' || method === 'prompts/get';
    return isNamed && typeof name === 'string' && this.#names.isMarked(name);
  }

  /** The name upstream of a tool or prompt that the caller is shown. */
  upstreamName(kind: 'tools' | 'prompts', name: string, operation: Operation): string | undefined {
    return this.items.find(kind, name, operation)?.upstream;
  }

  /** The fixed arguments of a tool, by its name upstream. */
  fixedArgs(name: string): Row | undefined {
    return this.#overrides.fixedArgs(name);
  }

  /**
   * Reads the lists from the connections for some callers; what is in the list of one of them is shown. A list that
   * can't be read stays unchanged; the first error is thrown.
   */
  async read(key: string, clients: readonly Client[]): Promise<void> {
    const [leader] = clients;
    if (leader === undefined) throw new Error('No connection is open');
    const { tools, prompts, resources, completions } = leader.capabilities;
    const read = async (
      kind: Kind,
      isOffered: boolean,
      list: (client: Client) => Promise<unknown[]>,
    ): Promise<void> => {
      const rows = isOffered ? (await Promise.all(clients.map(list))).flat() : [];
      this.#show(kind, rows, { key, client: leader, completes: completions !== undefined });
    };
    const outcomes = await Promise.allSettled([
      read('tools', tools !== undefined, (client) => client.listTools().all()),
      read('prompts', prompts !== undefined, (client) => client.listPrompts().all()),
      read('resources', resources !== undefined, async (client) => [
        ...(await client.listResources().all()),
        ...(client === leader ? await this.#skills.read(client) : []),
      ]),
      read('templates', resources !== undefined, (client) => client.listResourceTemplates().all()),
    ]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const listed = [...this.#listed.values()];
    this.warnings = this.#check({
      tools: listed.flatMap((each) => each.tools),
      prompts: listed.flatMap((each) => each.prompts),
    });
    for (const warning of this.warnings) {
      if (!this.#reported.has(warning)) this.#server.reportError(`Upstream "${this.#server.info.name}"`, warning);
      this.#reported.add(warning);
    }
  }

  /** Notifies clients of changed lists. Default: all that are not empty. */
  announce(changed: Iterable<Kind> = kinds.filter((kind) => this.items.isShown(kind))): void {
    for (const kind of changed) {
      this.#server[kind].changed();
      this.#onChanged?.(kind);
    }
  }

  #show(
    kind: Kind,
    rows: readonly unknown[],
    { key, client, completes }: { key: string; client: Client; completes: boolean },
  ): void {
    if (kind === 'tools' || kind === 'prompts') {
      const listed = this.#listed.get(key) ?? { tools: [], prompts: [] };
      listed[kind] = (rows as Row[]).flatMap((row) => (typeof row?.name === 'string' ? [row.name] : []));
      this.#listed.set(key, listed);
    }
    const toShown = (name: string, row: Row, json: string, upstream: string): Shown => {
      const item = toItem(kind, kind === 'tools' ? this.#toPublicTool(row) : row, { name, completes });
      const task = kind === 'tools' ? taskSupportOf(row, client) : undefined;
      if (task === undefined) return { json, upstream, item };
      const call = (_: unknown, context: unknown): Promise<Result> => this.#runTask(context as Operation);
      // The gateway can wait for a task on behalf of a client that does not.
      const entry = { json, upstream, item: { ...item, task: 'optional' as const, call } };
      return task === 'required' ? { ...entry, requiresTask: true } : entry;
    };
    if (this.items.set(key, kind, this.#named(kind, rows, toShown))) this.#onChanged?.(kind);
  }

  #toPublicTool(row: Row): Row {
    const _meta = this.#uris.toPublicMeta(row._meta);
    return this.#overrides.toPublic(_meta === undefined ? row : { ...row, _meta });
  }

  /** The rows by public name. Of two with the same name, the first is shown. One that was read before is reused. */
  #named(
    kind: Kind,
    rows: readonly unknown[],
    toShown: (name: string, row: Row, json: string, upstream: string) => Shown,
  ): Map<string, Shown> {
    const named = new Map<string, Shown>();
    for (const row of rows as Row[]) {
      const upstream = row?.[keyOf[kind]];
      if (typeof upstream !== 'string') continue;
      const isNamed = kind === 'tools' || kind === 'prompts';
      const name = isNamed ? this.#names.toPublic(upstream) : this.#uris.toPublic(upstream);
      if (name === undefined || named.has(name)) continue;
      const json = JSON.stringify(row);
      named.set(name, this.items.findSame(kind, name, json) ?? toShown(name, row, json, upstream));
      if (named.size >= maxRows) break;
    }
    return named;
  }
}

const keyOf = { tools: 'name', prompts: 'name', resources: 'uri', templates: 'uriTemplate' } as const;

function toItem(kind: Kind, row: Row, { name, completes }: { name: string; completes: boolean }): Item {
  const described = pick(row, ['title', 'description', 'icons', '_meta', 'annotations']) as { icons?: Icon[] };
  switch (kind) {
    case 'tools': {
      const { inputSchema, outputSchema } = row;
      return {
        ...described,
        name,
        checked: false,
        input: toObjectSchema(inputSchema),
        ...(isObject(outputSchema) && { output: outputSchema }),
        call: servedUpstream,
      };
    }
    case 'prompts':
      return { ...described, name, arguments: toArguments(row.arguments, completes), get: servedUpstream };
    case 'resources':
      return {
        ...described,
        ...pick(row, ['mimeType', 'size', 'listed']),
        uri: name,
        name: typeof row.name === 'string' ? row.name : name,
        read: servedUpstream,
      };
    case 'templates':
      return {
        ...described,
        ...pick(row, ['mimeType']),
        uriTemplate: name,
        name: typeof row.name === 'string' ? row.name : name,
        read: servedUpstream,
      };
  }
}

function toArguments(rows: unknown, completes: boolean): Record<string, PromptArgument> {
  const args: Record<string, PromptArgument> = {};
  for (const row of Array.isArray(rows) ? (rows as unknown[]) : []) {
    if (!isObject(row) || typeof row.name !== 'string') continue;
    args[row.name] = {
      ...pick(row, ['title', 'description']),
      ...(row.required === true && { required: true }),
      ...(completes && { complete: [] }),
    };
  }
  return args;
}

/** Members of the right type. Clients reject a whole list for one that is not. */
function pick(row: Row, members: readonly string[]): object {
  return Object.fromEntries(members.filter((member) => isValid(member, row[member])).map((each) => [each, row[each]]));
}

function isValid(member: string, value: unknown): boolean {
  switch (member) {
    case '_meta':
      return isObject(value);
    case 'annotations':
      return isObject(value) && Object.entries(value).every(([hint, each]) => isValidAnnotation(hint, each));
    case 'icons':
      return Array.isArray(value) && value.every((icon) => isObject(icon) && typeof icon.src === 'string');
    case 'size':
      return typeof value === 'number';
    case 'listed':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string';
  }
}

function isValidAnnotation(name: string, value: unknown): boolean {
  if (name.endsWith('Hint')) return typeof value === 'boolean';
  if (name === 'title' || name === 'lastModified') return typeof value === 'string';
  if (name === 'priority') return typeof value === 'number';
  return (
    name !== 'audience' || (Array.isArray(value) && value.every((each) => each === 'user' || each === 'assistant'))
  );
}

/** The schema of arguments, which describes an object in every revision. */
function toObjectSchema(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return { type: 'object' };
  const { type } = schema;
  if (type === 'object') return schema;
  return type === undefined || (Array.isArray(type) && type.includes('object'))
    ? { ...schema, type: 'object' }
    : { type: 'object' };
}

function servedUpstream(): never {
  throw new Error('The upstream serves this');
}

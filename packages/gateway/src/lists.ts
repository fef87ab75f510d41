import type { Icon, Operation, Prompt, PromptArgument, Resource, Result, Server, Template, Tool } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import { Links } from './links.ts';
import type { Names } from './names.ts';
import type { PassedSkills } from './passed-skills.ts';
import type { ToolOverrides } from './tool-overrides.ts';
import { taskSupportOf } from './upstream-task.ts';
import type { ListedNames } from './unknown-names.ts';
import type { Uris } from './uris.ts';

/** The lists of a server. */
export type Kind = 'tools' | 'prompts' | 'resources' | 'templates';
type Row = Readonly<Record<string, unknown>>;
type Item = Tool | Prompt | Resource | Template;

/** A shown item: its row as text, and its upstream name. */
interface Shown {
  readonly json: string;
  readonly upstream: string;
  readonly requiresTask?: boolean;
}

const kinds: readonly Kind[] = ['tools', 'prompts', 'resources', 'templates'];

/** The maximum rows of one list of an upstream. */
const maxRows = 10_000;

/** Options of `Lists`: the server that shows them, the names, and the handler of tools that run as tasks. */
export interface ListsOptions {
  readonly server: Server;
  readonly names: Names;
  readonly uris: Uris;
  readonly skills: PassedSkills;
  readonly overrides: ToolOverrides;
  runTask(operation: Operation): Promise<Result>;
  /** Returns errors in the options, given the listed names. */
  check(names: ListedNames): readonly string[];
  /** Called when a list has changed. */
  onChanged?(kind: Kind): void;
}

/** Adds the lists of an upstream to a server, under public names. */
export class Lists {
  readonly #server: Server;
  readonly #names: Names;
  readonly #uris: Uris;
  readonly #skills: PassedSkills;
  readonly #overrides: ToolOverrides;
  readonly #runTask: ListsOptions['runTask'];
  readonly #onChanged: ListsOptions['onChanged'];
  readonly #check: ListsOptions['check'];
  /** The upstream names, including hidden ones. */
  readonly #listed: { tools: string[]; prompts: string[] } = { tools: [], prompts: [] };
  /** Reported errors in the options. */
  readonly #reported = new Set<string>();
  /** Errors in the options, given the last lists. */
  warnings: readonly string[] = [];
  /** The URIs in results. */
  readonly links: Links = new Links();
  /** The shown items, by kind and public name. */
  readonly #shown: Readonly<Record<Kind, Map<string, Shown>>> = {
    tools: new Map(),
    prompts: new Map(),
    resources: new Map(),
    templates: new Map(),
  };

  constructor({ server, names, uris, skills, overrides, runTask, check, onChanged }: ListsOptions) {
    this.#server = server;
    this.#names = names;
    this.#uris = uris;
    this.#skills = skills;
    this.#overrides = overrides;
    this.#runTask = runTask;
    this.#onChanged = onChanged;
    this.#check = check;
  }

  /** True for a tool that the upstream runs as a task only. */
  requiresTask(name: string): boolean {
    return this.#shown.tools.get(name)?.requiresTask === true;
  }

  /** Whether the upstream may have a resource that it does not list, such as one that a tool made. */
  unlisted(uri: string): 'known' | 'likely' | undefined {
    if (this.links.has(uri) || this.#uris.isMarked(uri)) return 'known';
    const scheme = uri.slice(0, uri.indexOf(':') + 1);
    if (scheme === '') return undefined;
    for (const kind of ['resources', 'templates'] as const) {
      for (const each of this.#shown[kind].keys()) if (each.startsWith(scheme)) return 'likely';
    }
    return undefined;
  }

  /** True for a request of something with the prefix of this upstream, whether it is there or not. */
  isMarked({ method, params: { name, uri } }: Operation): boolean {
    if (method === 'resources/read') return typeof uri === 'string' && this.#uris.isMarked(uri);
    const isNamed = method === 'tools/call' || method === 'prompts/get';
    return isNamed && typeof name === 'string' && this.#names.isMarked(name);
  }

  /** The number of shown tools. */
  get tools(): number {
    return this.#shown.tools.size;
  }

  /** The name upstream of a tool or prompt. */
  upstreamName(kind: 'tools' | 'prompts', name: string): string | undefined {
    return this.#shown[kind].get(name)?.upstream;
  }

  /** The fixed arguments of a tool, by its name upstream. */
  fixedArgs(name: string): Row | undefined {
    return this.#overrides.fixedArgs(name);
  }

  /** Reads the lists of the upstream. One that can't be read stays unchanged; the first error is thrown. */
  async read(client: Client): Promise<void> {
    const { tools, prompts, resources, completions } = client.capabilities;
    const read = async (kind: Kind, isOffered: boolean, list: () => Promise<unknown[]>): Promise<void> => {
      this.#show(kind, isOffered ? await list() : [], { client, completes: completions !== undefined });
    };
    const outcomes = await Promise.allSettled([
      read('tools', tools !== undefined, () => client.listTools().all()),
      read('prompts', prompts !== undefined, () => client.listPrompts().all()),
      read('resources', resources !== undefined, async () => [
        ...(await client.listResources().all()),
        ...(await this.#skills.read(client)),
      ]),
      read('templates', resources !== undefined, () => client.listResourceTemplates().all()),
    ]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    this.warnings = this.#check(this.#listed);
    for (const warning of this.warnings) {
      if (!this.#reported.has(warning)) this.#server.reportError(`Upstream "${this.#server.info.name}"`, warning);
      this.#reported.add(warning);
    }
  }

  /** Notifies clients of changed lists. Default: all that are not empty. */
  announce(changed: Iterable<Kind> = kinds.filter((kind) => this.#shown[kind].size > 0)): void {
    for (const kind of changed) {
      this.#server[kind].changed();
      this.#onChanged?.(kind);
    }
  }

  #show(kind: Kind, rows: readonly unknown[], { client, completes }: { client: Client; completes: boolean }): void {
    const shown = this.#shown[kind];
    if (kind === 'tools' || kind === 'prompts') {
      this.#listed[kind] = (rows as Row[]).flatMap((row) => (typeof row?.name === 'string' ? [row.name] : []));
    }
    const listed = this.#named(kind, rows);
    const before = shown.size;
    for (const [name, { json }] of shown) {
      if (listed.get(name)?.json === json) continue;
      this.#server[kind].remove(name);
      shown.delete(name);
    }
    const added: [string, Shown, Item][] = [];
    for (const [name, { row, json, upstream }] of listed) {
      if (shown.has(name)) continue;
      const item = toItem(kind, kind === 'tools' ? this.#toPublicTool(row) : row, { name, completes });
      const task = kind === 'tools' ? taskSupportOf(row, client) : undefined;
      const entry: Shown = { json, upstream, ...(task === 'required' && { requiresTask: true }) };
      const call = (_: unknown, context: unknown): Promise<Result> => this.#runTask(context as Operation);
      // The gateway can wait for a task on behalf of a client that does not.
      added.push([name, entry, task === undefined ? item : { ...item, task: 'optional', call }]);
    }
    const isChanged = shown.size < before || added.length > 0;
    for (const [name, entry] of this.#add(kind, added)) shown.set(name, entry);
    if (isChanged) this.#onChanged?.(kind);
  }

  #toPublicTool(row: Row): Row {
    const _meta = this.#uris.toPublicMeta(row._meta);
    return this.#overrides.toPublic(_meta === undefined ? row : { ...row, _meta });
  }

  /** The rows by public name. Of two with the same name, the first is shown. */
  #named(kind: Kind, rows: readonly unknown[]): Map<string, { row: Row; json: string; upstream: string }> {
    const named = new Map<string, { row: Row; json: string; upstream: string }>();
    for (const row of rows.slice(0, maxRows) as Row[]) {
      const upstream = row?.[keyOf[kind]];
      if (typeof upstream !== 'string') continue;
      const isNamed = kind === 'tools' || kind === 'prompts';
      const name = isNamed ? this.#names.toPublic(upstream) : this.#uris.toPublic(upstream);
      if (name === undefined || named.has(name)) continue;
      named.set(name, { row, json: JSON.stringify(row), upstream });
    }
    return named;
  }

  /** Adds items. One that the server rejects is omitted and reported. */
  #add<T extends readonly [string, unknown, Item]>(kind: Kind, added: readonly T[]): readonly T[] {
    const registry = this.#server[kind] as { add(...items: Item[]): void };
    try {
      registry.add(...added.map(([, , item]) => item));
      return added;
    } catch {
      return added.filter(([name, , item]) => {
        try {
          registry.add(item);
          return true;
        } catch (error) {
          this.#server.reportError(`"${name.slice(0, 100)}" of the upstream's ${kind} is left out`, error);
          return false;
        }
      });
    }
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function servedUpstream(): never {
  throw new Error('The upstream serves this');
}

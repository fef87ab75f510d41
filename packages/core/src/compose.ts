import { isObject, type Notification, type Params } from './jsonrpc/message.ts';
import type { Implementation } from './protocol/identity.ts';
import type { LogLevel } from './protocol/logging.ts';
import type { MethodFacts } from './protocol/methods.ts';
import type { Call } from './server/call/call.ts';
import type { Outcome } from './server/call/operation.ts';
import type { Serving } from './server/serving.ts';
import { fillAll } from './server/lists/list-source.ts';
import { createServer, type ServerOptions } from './create-server.ts';
import type { Prompt, Tool } from './server/define/define.ts';
import type { Change } from './server/change-feed.ts';
import { describe } from './server/define/listing-fields.ts';
import { findResource, readableFor } from './server/methods/resources/find.ts';
import type { PromptEntry } from './server/define/prompt-entry.ts';
import type { Registered } from './server/define/registry.ts';
import type { ResourceEntry, TemplateEntry } from './server/define/resource-entry.ts';
import type { Engine } from './server/engine.ts';
import { instructionsOf } from './server/options.ts';
import type { Peer } from './server/peer.ts';
import type { ServerExtension } from './server/extension.ts';
import { engineOf } from './server/server-handle.ts';
import type { Scopes } from './server/define/feature-options.ts';
import type { Server } from './server/server.ts';
import type { ToolEntry } from './server/define/tool-entry.ts';
import { limits } from './limits.ts';

/** A server that becomes part of another; `prefix` is put before the names of its tools and prompts there. */
export type Part = Server | { server: Server; prefix: string };

/** What the whole calls itself, and the settings that are not its parts'. */
export type ComposeOptions = Implementation &
  Pick<ServerOptions, 'lists' | 'logger' | 'logLevel' | 'rateLimit' | 'stateSecret'>;

interface Member {
  label: string;
  server: Engine;
  prefix: string;
}

/**
 * Joins servers into one. Each part goes on serving what is its own, with its own middleware, settings and extensions;
 * what it adds or removes later appears here too. Two parts that offer the same name or address are an error: a prefix
 * helps.
 */
export function compose(parts: Readonly<Record<string, Part>>, options: ComposeOptions): Server {
  const members = Object.entries(parts).map(([label, part]): Member => {
    const { server, prefix } = 'server' in part ? part : { server: part, prefix: '' };
    return { label, server: engineOf(server), prefix };
  });
  // Those of a part may become known later.
  const instructions = (): string | undefined => {
    const known = members.map(({ server }) => instructionsOf(server)).filter((text) => text !== undefined);
    return known.length === 0 ? undefined : known.join('\n\n');
  };
  // What one of them hides stays hidden, unless the whole is to show it.
  const byScope = members.some(({ server }) => (server.options as ServerOptions).lists === 'by-scope');
  const { extensions, joined } = extensionsOf(members);
  const server = createServer({
    ...(byScope && { lists: 'by-scope' }),
    ...(members.some(({ server }) => server.options.logRejections) && { logRejections: true }),
    ...options,
    instructions,
    ...kindsToCome(members),
    // What a part may send, the whole may.
    maxResult: Math.max(...members.map(({ server }) => server.settings.maxResult), limits.server.maxResult.value),
    extensions,
  });
  const whole = engineOf(server);
  whole.listSources = members.flatMap(({ server }) => server.listSources);
  const mirrors: Mirror[] = [];
  for (const member of members) mirrors.push(new Mirror(whole, member, mirrors));
  whole.passOn((next) => (call) => {
    if (joined.has(call.method)) return next(call);
    const owner = ownerOf(call, mirrors);
    if (owner !== undefined) return passTo(owner, call);
    if (whole.listSources.length === 0 || factsOf(call).belongsTo === undefined) return next(call);
    const { contextOf } = whole.serving.loaded as Serving;
    const filling = fillAll(whole.listSources, contextOf(call));
    if (filling.length === 0) return next(call);
    return serveWhenFilled(filling, () => {
      const found = ownerOf(call, mirrors);
      return found === undefined ? next(call) : passTo(found, call);
    });
  });
  return server;
}

async function serveWhenFilled(filling: Promise<unknown>[], serve: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  await Promise.allSettled(filling);
  return serve();
}

function passTo(owner: Member, call: Call): Outcome | Promise<Outcome> {
  const params = paramsFor(call, owner);
  call.server = owner.server;
  call.params = params;
  return owner.server.runPassed(call);
}

/** What a part was made to get later, the whole was too. */
function kindsToCome(members: readonly Member[]): Pick<ServerOptions, Kind | 'capabilities'> {
  const toCome = kinds.filter((kind) => members.some(({ server }) => server.options[kind] !== undefined));
  const completions = members.some(({ server }) => server.capabilities.declared.completions);
  return {
    ...Object.fromEntries(toCome.map((kind) => [kind, []])),
    ...(completions && { capabilities: { completions } }),
  };
}

/** What the parts' extensions add, as the whole has it: each runs around its own part, not around all of them. */
function extensionsOf(members: readonly Member[]): { extensions: ServerExtension[]; joined: ReadonlySet<string> } {
  const labels = new Map<ServerExtension, string>();
  for (const { label, server } of members) {
    for (const extension of server.extensions.all) if (!labels.has(extension)) labels.set(extension, label);
  }
  const all = [...labels.keys()];
  const joined = new Set<string>();
  const extensions = Array.from(new Set(all.map(({ id }) => id)), (id) => {
    const alike = all.filter((extension) => extension.id === id);
    const { around: _, install: __, addToTool: ___, ...extension } = joinExtensions(alike, labels);
    if (alike.length > 1) for (const method of Object.keys(extension.methods ?? {})) joined.add(method);
    return extension;
  });
  return { extensions, joined };
}

/** One extension out of those with the same id. */
function joinExtensions(
  alike: readonly ServerExtension[],
  labels: ReadonlyMap<ServerExtension, string>,
): ServerExtension {
  const [first, second] = alike as [ServerExtension, ServerExtension?];
  if (second === undefined) return first;
  if (first.join !== undefined && alike.every(({ join }) => join !== undefined)) return first.join(alike);
  throw new Error(
    `${labels.get(first)} and ${labels.get(second)} both have the extension "${first.id}", each its own: give them the same value`,
  );
}

/** Who serves a call; undefined for what concerns the whole, such as lists. */
function ownerOf(call: Call, mirrors: readonly Mirror[]): Member | undefined {
  const { method, params, peer } = call;
  const find = (offers: (member: Member) => boolean, shown?: { kind: Kind; name: unknown }): Member | undefined => {
    // Of several parts that offer the same, the one that is shown serves it.
    const shows = shown && mirrors.find((mirror) => mirror.shows(shown.kind, shown.name) && offers(mirror.member));
    return (shows ?? mirrors.find(({ member }) => offers(member)))?.member;
  };
  const findNamed = (kind: 'tools' | 'prompts'): Member | undefined =>
    find(({ server, prefix }) => hasUnprefixed(server.catalog[kind], params.name, prefix), { kind, name: params.name });
  switch (factsOf(call).belongsTo) {
    case 'tool':
      return findNamed('tools');
    case 'prompt':
      return findNamed('prompts');
    case 'resource':
      return find(({ server }) => offersResource(server, params.uri, peer), { kind: 'resources', name: params.uri });
    case 'reference':
      return find((member) => completes(member, params.ref, peer), shownReference(params.ref));
    case undefined:
      return find(({ server: { extensions } }) => extensions.adds(method));
  }
}

function factsOf({ host, method }: Call): MethodFacts {
  return host.methods.of(method);
}

function shownReference(ref: unknown): { kind: Kind; name: unknown } | undefined {
  if (!isObject(ref)) return undefined;
  return ref.type === 'ref/prompt' ? { kind: 'prompts', name: ref.name } : { kind: 'templates', name: ref.uri };
}

function hasUnprefixed(registry: { has(name: string): boolean }, name: unknown, prefix: string): boolean {
  return typeof name === 'string' && name.startsWith(prefix) && registry.has(name.slice(prefix.length));
}

function offersResource(server: Engine, uri: unknown, peer: Peer): boolean {
  return typeof uri === 'string' && findResource({ server, peer }, uri) !== undefined;
}

function completes({ server, prefix }: Member, ref: unknown, peer: Peer): boolean {
  if (!isObject(ref)) return false;
  if (ref.type === 'ref/prompt') return hasUnprefixed(server.catalog.prompts, ref.name, prefix);
  return typeof ref.uri === 'string' && readableFor({ server, peer }, ref.uri) !== undefined;
}

/** The call's params with the names as the part knows them. */
function paramsFor({ host, method, params }: Call, { prefix }: Member): Params {
  if (prefix === '') return params;
  switch (host.methods.of(method).belongsTo) {
    case 'tool':
    case 'prompt':
      return withoutPrefix(params, prefix);
    case 'reference':
      return { ...params, ref: withoutPrefix(params.ref as Params, prefix) };
    default:
      return params;
  }
}

function withoutPrefix(named: Params, prefix: string): Params {
  return typeof named.name === 'string' ? { ...named, name: named.name.slice(prefix.length) } : named;
}

type Kind = 'tools' | 'prompts' | 'resources' | 'templates';

const kinds: readonly Kind[] = ['tools', 'prompts', 'resources', 'templates'];

/** Shows in the whole what a part offers, and keeps that true. */
class Mirror {
  readonly member: Member;
  readonly #whole: Engine;
  /** What is shown, by kind and name. */
  readonly #shown = new Map<Kind, Map<string, Registered>>(kinds.map((kind) => [kind, new Map()]));

  /** Those of all parts. */
  readonly #mirrors: readonly Mirror[];

  constructor(whole: Engine, member: Member, mirrors: readonly Mirror[]) {
    this.#whole = whole;
    this.member = member;
    this.#mirrors = mirrors;
    for (const kind of kinds) this.#show(kind);
    member.server.feed.join(this);
    whole.feed.onWatch((uris) => member.server.feed.watchBegun(uris));
  }

  /** True if the whole shows this of the part. */
  shows(kind: Kind, name: unknown): boolean {
    return this.#shown.get(kind)?.has(name as string) === true;
  }

  /** What clients of the whole subscribed to. */
  watched(): Iterable<string> {
    return this.#whole.feed.watchedUris();
  }

  onLog(level: LogLevel, message: Notification): void {
    for (const listener of this.#whole.feed.listeners()) listener.onLog?.(level, message);
  }

  matches(): boolean {
    return true;
  }

  onChange(change: Change): void {
    // Also where nothing is registered anew: a template may list other resources now.
    this.#whole.feed.publish(change);
    if (change.kind === 'resource' || change.kind === 'extension') return;
    try {
      this.#show(change.kind);
      if (change.kind !== 'resources') return;
      this.#show('templates');
      // What several parts offer alike is still offered where one of them leaves it out.
      for (const mirror of this.#mirrors) if (mirror !== this) mirror.#show('resources');
    } catch (error) {
      this.#whole.reportError(`Something new in ${this.member.label} is not shown`, error);
    }
  }

  #show(kind: Kind): void {
    const shown = this.#shown.get(kind) as Map<string, Registered>;
    const offered = new Map<string, Registered>();
    for (const entry of this.member.server.catalog[kind].entries.values())
      offered.set(this.#nameOf(kind, entry.key), entry);
    for (const [name, entry] of shown) {
      if (offered.get(name) === entry) continue;
      this.#whole.catalog[kind].remove(name);
      shown.delete(name);
    }
    const taken: string[] = [];
    for (const [name, entry] of offered) {
      if (shown.has(name)) continue;
      if (this.#whole.catalog[kind].has(name)) {
        if (!this.#isShared(kind, entry)) taken.push(name);
        continue;
      }
      this.#add(kind, name, entry);
      shown.set(name, entry);
    }
    const [first] = taken;
    if (first === undefined) return;
    throw new Error(
      `"${first}" of ${this.member.label} is offered by another part already: give one a prefix, or leave one out`,
    );
  }

  /** True for the very same resource of another part, such as a view that both have. */
  #isShared(kind: Kind, entry: Registered): boolean {
    return kind === 'resources' && this.#whole.catalog.resources.get(entry.key) === (entry as ResourceEntry).resource;
  }

  #nameOf(kind: Kind, key: string): string {
    return kind === 'tools' || kind === 'prompts' ? this.member.prefix + key : key;
  }

  #add(kind: Kind, name: string, entry: Registered): void {
    const { tools, prompts, resources, templates } = this.#whole.catalog;
    switch (kind) {
      case 'tools': {
        const { tool, meta, listedFor } = entry as ToolEntry;
        const { input, output, annotations, scopes, task, checked } = tool;
        const shown: Tool = {
          name,
          ...(input && { input }),
          ...(output && { output }),
          ...(annotations && { annotations }),
          ...(scopes && { scopes: bindScopes(tool, scopes) }),
          ...(task && { task }),
          ...(checked === false && { checked }),
          ...(listedFor !== undefined && { listedFor }),
          call: servedByPart,
        };
        describe(shown, tool);
        if (meta !== undefined) shown._meta = meta;
        tools.add(shown);
        break;
      }
      case 'prompts':
        prompts.add(shownPrompt((entry as PromptEntry).prompt, name));
        break;
      case 'resources':
        resources.add((entry as ResourceEntry).resource);
        break;
      case 'templates':
        templates.add((entry as TemplateEntry).template);
    }
  }
}

function shownPrompt(prompt: Prompt, name: string): Prompt {
  const { scopes } = prompt;
  return { ...prompt, name, get: servedByPart, ...(scopes && { scopes: bindScopes(prompt, scopes) }) };
}

/** What an object of a class says of its scopes may need the object. */
function bindScopes(item: Tool | Prompt, scopes: Scopes<[args: never]>): Scopes<[args: never]> {
  return typeof scopes === 'function' ? scopes.bind(item) : scopes;
}

function servedByPart(): never {
  throw new Error('A part serves this itself');
}

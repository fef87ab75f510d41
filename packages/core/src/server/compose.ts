import type { Params } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { Call } from './call/call.ts';
import { createServer } from './create-server.ts';
import type { Prompt, Tool } from './define/define.ts';
import type { Change } from './change-feed.ts';
import { describe } from './define/listing-fields.ts';
import { findResource, readableFor } from './methods/resources/find.ts';
import { countCall } from './quotas/overload.ts';
import type { PromptEntry } from './define/prompt-entry.ts';
import type { Registered } from './define/registry.ts';
import type { ResourceEntry, TemplateEntry } from './define/resource-entry.ts';
import type { Engine, Run } from './engine.ts';
import type { Exchange } from './exchange.ts';
import type { ServerExtension } from './extension.ts';
import type { ServerOptions } from './options.ts';
import { engineOf } from './server-handle.ts';
import type { Scopes } from './scopes/scope-rule.ts';
import type { Server } from './server.ts';
import type { ToolEntry } from './define/tool-entry.ts';
import { limits } from '../limits.ts';

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
  const instructions = members.map(({ server }) => server.options.instructions).filter((text) => text !== undefined);
  // What one of them hides stays hidden, unless the whole is to show it.
  const byScope = members.some(({ server }) => server.options.lists === 'by-scope');
  const server = createServer({
    ...(byScope && { lists: 'by-scope' }),
    ...(members.some(({ server }) => server.options.logRefusals) && { logRefusals: true }),
    ...options,
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    // What a part may send, the whole may.
    maxResult: Math.max(...members.map(({ server }) => server.maxResult), limits.server.maxResult.value),
    extensions: extensionsOf(members),
  });
  const whole = engineOf(server);
  const mirrors: Mirror[] = [];
  for (const member of members) mirrors.push(new Mirror(whole, member, mirrors));
  const inner = whole.run;
  whole.run = (operation) => {
    const call = operation as Call;
    const owner = ownerOf(call, members);
    if (owner === undefined) return inner(call);
    // A part's own limit holds for what it serves.
    const counted = owner.server.rates && countCall(owner.server.rates, call.exchange, 'requests');
    const pass = (): ReturnType<Run> => {
      call.passTo(owner.server, paramsFor(call, owner));
      return owner.server.run(call);
    };
    return counted === undefined ? pass() : counted.then(pass);
  };
  return server;
}

/** What the parts' extensions add, as the whole has it: each runs around its own part, not around all of them. */
function extensionsOf(members: readonly Member[]): ServerExtension[] {
  const found = new Map<string, { extension: ServerExtension; label: string }>();
  for (const { label, server } of members) {
    for (const extension of server.extensions.all) {
      const other = found.get(extension.id);
      if (other !== undefined && other.extension !== extension) {
        throw new Error(
          `${other.label} and ${label} both have the extension "${extension.id}", each its own: give them the same value`,
        );
      }
      found.set(extension.id, { extension, label });
    }
  }
  return Array.from(
    found.values(),
    ({ extension: { around: _, install: __, addToTool: ___, ...extension } }) => extension,
  );
}

/** Who serves a call; undefined for what concerns the whole, such as lists. */
function ownerOf({ host, method, params, exchange }: Call, members: readonly Member[]): Member | undefined {
  switch (host.methods.of(method).belongsTo) {
    case 'tool':
      return members.find(({ server, prefix }) => has(server.tools, params.name, prefix));
    case 'prompt':
      return members.find(({ server, prefix }) => has(server.prompts, params.name, prefix));
    case 'resource':
      return members.find(({ server }) => offersResource(server, params.uri, exchange));
    case 'reference':
      return members.find((member) => completes(member, params.ref, exchange));
    case undefined:
      return members.find(({ server: { extensions } }) => extensions.adds(method));
  }
}

function has(registry: { has(name: string): boolean }, name: unknown, prefix: string): boolean {
  return typeof name === 'string' && name.startsWith(prefix) && registry.has(name.slice(prefix.length));
}

function offersResource(server: Engine, uri: unknown, exchange: Exchange): boolean {
  return typeof uri === 'string' && findResource({ server, exchange }, uri) !== undefined;
}

function completes({ server, prefix }: Member, ref: unknown, exchange: Exchange): boolean {
  if (!isObject(ref)) return false;
  if (ref.type === 'ref/prompt') return has(server.prompts, ref.name, prefix);
  return typeof ref.uri === 'string' && readableFor({ server, exchange }, ref.uri) !== undefined;
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
  readonly #whole: Engine;
  readonly #member: Member;
  /** What is shown, by kind and name. */
  readonly #shown = new Map<Kind, Map<string, Registered>>(kinds.map((kind) => [kind, new Map()]));

  /** Those of all parts. */
  readonly #mirrors: readonly Mirror[];

  constructor(whole: Engine, member: Member, mirrors: readonly Mirror[]) {
    this.#whole = whole;
    this.#member = member;
    this.#mirrors = mirrors;
    for (const kind of kinds) this.#show(kind);
    member.server.feed.join(this);
  }

  hears(): boolean {
    return true;
  }

  tell(change: Change): void {
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
      this.#whole.reportError(`Something new in ${this.#member.label} is not shown`, error);
    }
  }

  #show(kind: Kind): void {
    const shown = this.#shown.get(kind) as Map<string, Registered>;
    const offered = new Map<string, Registered>();
    for (const entry of this.#member.server[kind].entries()) offered.set(this.#nameOf(kind, entry.key), entry);
    for (const [name, entry] of shown) {
      if (offered.get(name) === entry) continue;
      this.#whole[kind].remove(name);
      shown.delete(name);
    }
    for (const [name, entry] of offered) {
      if (shown.has(name)) continue;
      if (this.#whole[kind].has(name)) {
        if (this.#isShared(kind, entry)) continue;
        throw new Error(
          `"${name}" of ${this.#member.label} is offered by another part already: give one a prefix, or leave one out`,
        );
      }
      this.#add(kind, name, entry);
      shown.set(name, entry);
    }
  }

  /** True for the very same resource of another part, such as a view that both have. */
  #isShared(kind: Kind, entry: Registered): boolean {
    return kind === 'resources' && this.#whole.resources.get(entry.key) === (entry as ResourceEntry).resource;
  }

  #nameOf(kind: Kind, key: string): string {
    return kind === 'tools' || kind === 'prompts' ? this.#member.prefix + key : key;
  }

  #add(kind: Kind, name: string, entry: Registered): void {
    const { tools, prompts, resources, templates } = this.#whole;
    switch (kind) {
      case 'tools': {
        const { tool, meta, listedFor } = entry as ToolEntry;
        const { input, output, annotations, scopes, task } = tool;
        const shown: Tool = {
          name,
          ...(input && { input }),
          ...(output && { output }),
          ...(annotations && { annotations }),
          ...(scopes && { scopes: boundTo(tool, scopes) }),
          ...(task && { task }),
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
  return { ...prompt, name, get: servedByPart, ...(scopes && { scopes: boundTo(prompt, scopes) }) };
}

/** What an object of a class says of its scopes may need the object. */
function boundTo(item: Tool | Prompt, scopes: Scopes<[args: never]>): Scopes<[args: never]> {
  return typeof scopes === 'function' ? scopes.bind(item) : scopes;
}

function servedByPart(): never {
  throw new Error('A part serves this itself');
}

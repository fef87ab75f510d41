import { ErrorCode, ProtocolError } from './jsonrpc/errors.ts';
import type { Notification } from './jsonrpc/message.ts';
import type { Implementation } from './protocol/identity.ts';
import type { LogLevel } from './protocol/logging.ts';
import type { Kind, Member, ShownPart } from './features/compose/route-to-parts.ts';
import { servingLoader } from './features/load-serving.ts';
import type { FeatureServing } from './features/serving.ts';
import type { Operation } from './server/call/operation.ts';
import { createServer, type ServerOptions } from './create-server.ts';
import type { Prompt, Tool } from './server/define/define.ts';
import type { Change } from './server/change-feed.ts';
import { describe } from './server/define/listing-fields.ts';
import type { PromptEntry } from './server/define/prompt-entry.ts';
import type { Registered } from './server/define/registry.ts';
import type { ResourceEntry, TemplateEntry } from './server/define/resource-entry.ts';
import type { Engine } from './server/engine.ts';
import { instructionsOf } from './server/options.ts';
import type { PartOfWhole, ServerExtension } from './server/extension.ts';
import type { CallerServer } from './server/pipeline/caller-servers.ts';
import { engineOf } from './server/server-handle.ts';
import type { Scopes } from './server/define/feature-options.ts';
import type { Server } from './server/server.ts';
import type { ToolEntry } from './server/define/tool-entry.ts';
import { limits } from './limits.ts';

/** A server that becomes part of another; `prefix` is prepended to the names of its tools and prompts. */
export type Part = Server | { server: Server; prefix: string };

/** The identity of the composed server, and settings that its parts do not have. */
export type ComposeOptions = Implementation &
  Pick<ServerOptions, 'lists' | 'logger' | 'logLevel' | 'rateLimit' | 'stateSecret'>;

/** The parts of a composed server, by label. They may change while it serves. */
export interface Parts {
  /** The labels, by precedence: if several parts offer the same, the first one serves it. */
  labels(): string[];
  /**
   * Adds a part, and notifies clients of its tools, resources and prompts. The composed server keeps the settings and
   * extensions that it was created with: a part with another extension is an error, as is a duplicate name. With
   * `before` it precedes the part with that label, otherwise it is the last one.
   */
  add(label: string, part: Part, options?: { before?: string | undefined }): void;
  /** Removes a part, and notifies clients. Its running calls finish. False if there is no such part. */
  remove(label: string): boolean;
}

/** A server that is composed of others. */
export interface ComposedServer extends Server {
  readonly parts: Parts;
}

/**
 * Composes servers into one. Each part keeps its own middleware, settings and extensions; what it adds or removes later
 * appears in the composed server too. Two parts with the same name or URI are an error: a prefix helps.
 */
export function compose(parts: Readonly<Record<string, Part>>, options: ComposeOptions): ComposedServer {
  const mirrors: Mirror[] = [];
  const members = Object.entries(parts).map(([label, part]) => toMember(label, part, mirrors));
  // A part may get its instructions later.
  const instructions = (): string | undefined => {
    const known = mirrors.map(({ member }) => instructionsOf(member.server)).filter((text) => text !== undefined);
    return known.length === 0 ? undefined : known.join('\n\n');
  };
  // A tool that one part hides stays hidden, unless the composed server shows it.
  const byScope = members.some(({ server }) => listsByScope(server));
  const extensions = new JoinedExtensions(members);
  const server = createServer({
    ...(byScope && { lists: 'by-scope' }),
    ...(members.some(({ server }) => server.options.logRejections) && { logRejections: true }),
    ...options,
    instructions,
    ...kindsToCome(members),
    // The composed server may send results as large as those of any part.
    maxResult: Math.max(...members.map(({ server }) => server.settings.maxResult), limits.server.maxResult.value),
    extensions: extensions.all,
  });
  const whole = engineOf(server);
  const changed = (): void => {
    extensions.update(mirrors.map(({ member }) => member));
    whole.listSources = mirrors.flatMap(({ member }) => member.server.listSources);
    const some = mirrors.filter(({ member }) => member.server.listSources.some(({ forCaller }) => forCaller));
    whole.serversFor = (operation) => some.flatMap(({ member }) => serversOf(member, operation));
    whole.stepsChanged();
  };
  for (const member of members) mirrors.push(new Mirror(whole, member, mirrors));
  changed();
  whole.setForwardStep((next) => {
    const { routeToParts } = servingLoader.loaded as FeatureServing;
    return routeToParts({ whole, parts: mirrors, joins: (method) => extensions.joins(method), serversOf })(next);
  });
  const offered: Parts = {
    labels: () => mirrors.map(({ member }) => member.label),
    add(label, part, { before } = {}) {
      const at = before === undefined ? mirrors.length : mirrors.findIndex(({ member }) => member.label === before);
      if (at === -1) throw new Error(`There is no part "${before}": the parts are ${offered.labels().join(', ')}`);
      const member = toMember(label, part, mirrors);
      if (mirrors.some((mirror) => mirror.member.label === label)) {
        throw new Error(`There is a part "${label}" already: remove it first, or choose another label`);
      }
      if (listsByScope(member.server) && !listsByScope(whole)) {
        throw new Error(`${label} shows its lists by scope: make the whole with lists: 'by-scope'`);
      }
      extensions.check(member, mirrors);
      const mirror = new Mirror(whole, member, mirrors);
      mirrors.splice(at, 0, mirror);
      mirror.precedeLater();
      changed();
    },
    remove(label) {
      const at = mirrors.findIndex(({ member }) => member.label === label);
      if (at === -1) return false;
      const [mirror] = mirrors.splice(at, 1) as [Mirror];
      mirror.close();
      changed();
      return true;
    },
  };
  return Object.defineProperty(server, 'parts', { value: offered }) as ComposedServer;
}

function toMember(label: string, part: Part, mirrors: readonly ShownPart[]): Member {
  const { server, prefix } = 'server' in part ? part : { server: part, prefix: '' };
  const member: Member = { label, server: engineOf(server), prefix, extensions: [] };
  const offers: PartOfWhole['offers'] = (kind, name, operation) =>
    (servingLoader.loaded as FeatureServing).offersToCaller(mirrors, member, { kind, name, serversOf, operation });
  member.extensions = member.server.extensions.all.map((own) => own.inWhole?.({ prefix, offers }) ?? own);
  return member;
}

function listsByScope({ options }: Engine): boolean {
  return (options as ServerOptions).lists === 'by-scope';
}

/** The options for kinds of entries that parts may get later, so that the composed server declares them too. */
function kindsToCome(members: readonly Member[]): Pick<ServerOptions, Kind | 'capabilities'> {
  const toCome = kinds.filter((kind) => members.some(({ server }) => server.options[kind] !== undefined));
  const completions = members.some(({ server }) => server.capabilities.declared.completions);
  return {
    ...Object.fromEntries(toCome.map((kind) => [kind, []])),
    ...(completions && { capabilities: { completions } }),
  };
}

/** The extensions of the parts, for the composed server: each runs around its own part, not around all of them. */
class JoinedExtensions {
  readonly all: readonly ServerExtension[];
  /** The current handler of each extension's requests, by id. */
  readonly #current = new Map<string, ServerExtension>();
  /** The requests that the composed server serves itself, because several parts have their own copy of an extension. */
  readonly #joined = new Set<string>();

  constructor(members: readonly Member[]) {
    this.update(members);
    this.all = Array.from(this.#current.values(), ({ around: _, install: __, addToTool: ___, ...extension }) => ({
      ...extension,
      ...(extension.methods && { methods: this.#latest(extension.id, extension.methods) }),
      ...(extension.inWhole && {
        around: (operation, next) => this.#current.get(extension.id)?.around?.(operation, next) ?? next(),
      }),
    }));
  }

  /** True for a request that the composed server serves itself. */
  joins(method: string): boolean {
    return this.#joined.has(method);
  }

  /** Updates the extensions after the parts changed. */
  update(members: readonly Member[]): void {
    this.#current.clear();
    this.#joined.clear();
    for (const [id, alike] of extensionsById(members)) {
      const extension = joinExtensions(alike);
      this.#current.set(id, extension);
      if (alike.size > 1 || extension.inWhole)
        for (const method of Object.keys(extension.methods ?? {})) this.#joined.add(method);
    }
  }

  /** Throws if a part can't be added. */
  check(member: Member, mirrors: readonly Mirror[]): void {
    for (const { id } of member.server.extensions.all) {
      if (this.all.some((extension) => extension.id === id)) continue;
      throw new Error(
        `${member.label} has the extension "${id}", which the whole was made without: give compose a part that has it`,
      );
    }
    for (const alike of extensionsById([...mirrors.map((mirror) => mirror.member), member]).values()) {
      joinExtensions(alike);
    }
  }

  /** The requests of an extension; each looks up the current parts. */
  #latest(id: string, methods: NonNullable<ServerExtension['methods']>): NonNullable<ServerExtension['methods']> {
    const entries = Object.entries(methods).map(([name, method]) => {
      const serve: typeof method.serve = (operation) => {
        const latest = this.#current.get(id)?.methods?.[name];
        if (latest === undefined) throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${name}`);
        return latest.serve(operation);
      };
      return [name, { ...method, serve }];
    });
    return Object.fromEntries(entries) as NonNullable<ServerExtension['methods']>;
  }
}

/** The extensions of all parts by id, each with the label of the first that has it. */
function extensionsById(members: readonly Member[]): Map<string, Map<ServerExtension, string>> {
  const byId = new Map<string, Map<ServerExtension, string>>();
  for (const { label, extensions } of members) {
    for (const extension of extensions) {
      const alike = byId.get(extension.id) ?? new Map<ServerExtension, string>();
      if (!alike.has(extension)) alike.set(extension, label);
      byId.set(extension.id, alike);
    }
  }
  return byId;
}

/** One extension out of those with the same id. */
function joinExtensions(labels: ReadonlyMap<ServerExtension, string>): ServerExtension {
  const alike = [...labels.keys()];
  const [first, second] = alike as [ServerExtension, ServerExtension?];
  if (second === undefined) return first;
  if (first.join !== undefined && alike.every(({ join }) => join !== undefined)) return first.join(alike);
  throw new Error(
    `${labels.get(first)} and ${labels.get(second)} both have the extension "${first.id}", each its own: give them the same value`,
  );
}

/** The servers of a part for one caller, with the names that the composed server shows. */
function serversOf({ server, prefix }: Member, operation: Operation): CallerServer[] {
  return server.serversFor(operation).map((each) => ({ ...each, prefix: prefix + each.prefix }));
}

const kinds: readonly Kind[] = ['tools', 'prompts', 'resources', 'templates'];

/** Mirrors the entries of a part in the composed server, and keeps them up to date. */
class Mirror implements ShownPart {
  readonly member: Member;
  readonly #whole: Engine;
  /** The shown items, by kind and name. */
  readonly #shown = new Map<Kind, Map<string, Registered>>(kinds.map((kind) => [kind, new Map()]));

  /** Items hidden because another part has the name, by kind. */
  readonly #reported = new Map<Kind, ReadonlySet<string>>();
  /** The mirrors of all parts. */
  readonly #mirrors: readonly Mirror[];
  readonly #leave: readonly (() => void)[];

  constructor(whole: Engine, member: Member, mirrors: readonly Mirror[]) {
    this.#whole = whole;
    this.member = member;
    this.#mirrors = mirrors;
    try {
      for (const kind of kinds) {
        const [first] = this.#show(kind);
        if (first !== undefined) throw new Error(this.#textOfTaken(kind, first));
      }
    } catch (error) {
      this.#hide();
      throw error;
    }
    this.#leave = [
      member.server.feed.join(this),
      whole.feed.onSubscribe((uris) => member.server.feed.notifySubscribe(uris)),
    ];
  }

  /** Stops mirroring a removed part. Entries of other parts under the same names are shown instead. */
  close(): void {
    for (const leave of this.#leave) leave();
    this.#hide();
    for (const mirror of this.#mirrors) for (const kind of kinds) mirror.#update(kind);
  }

  /** Lists the entries of this part before those of the parts after it. */
  precedeLater(): void {
    for (const kind of kinds) this.#precede(kind, this.#laterMirrors());
  }

  #hide(): void {
    for (const [kind, shown] of this.#shown) {
      for (const name of shown.keys()) this.#whole.catalog[kind].remove(name);
      shown.clear();
    }
  }

  /** True if the composed server shows this entry of the part. */
  shows(kind: Kind, name: unknown): boolean {
    return this.#shown.get(kind)?.has(name as string) === true;
  }

  /** The subscriptions of the composed server's clients. */
  subscribedUris(): Iterable<string> {
    return this.#whole.feed.subscribedUris();
  }

  onLog(level: LogLevel, message: Notification): void {
    for (const listener of this.#whole.feed.listeners()) listener.onLog?.(level, message);
  }

  matches(): boolean {
    return true;
  }

  onChange(change: Change): void {
    // Even if no entry changed: a template may list other resources now.
    this.#whole.feed.publish(change);
    if (change.kind === 'resource' || change.kind === 'extension') return;
    const changed: readonly Kind[] = change.kind === 'resources' ? ['resources', 'templates'] : [change.kind];
    for (const kind of changed) {
      this.#update(kind);
      // An entry that several parts share stays as long as one of them has it.
      for (const mirror of this.#mirrors) if (mirror !== this && mirror.#mayShowMore(kind)) mirror.#update(kind);
    }
  }

  /** True if an entry of this part may be hidden by another part, or shared with it. */
  #mayShowMore(kind: Kind): boolean {
    return kind === 'resources' || (this.#reported.get(kind)?.size ?? 0) > 0;
  }

  #update(kind: Kind): void {
    try {
      this.#reportTaken(kind, this.#show(kind));
    } catch (error) {
      this.#whole.reportError(`Something new in ${this.member.label} is not shown`, error);
    }
  }

  /** Logs each name that another part has, once for as long as the conflict lasts. */
  #reportTaken(kind: Kind, taken: readonly string[]): void {
    const before = this.#reported.get(kind);
    this.#reported.set(kind, new Set(taken));
    const [first, ...others] = taken.filter((name) => before?.has(name) !== true);
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    this.#whole.note('error', `${this.#textOfTaken(kind, first)}${more}`);
  }

  #textOfTaken(kind: Kind, name: string): string {
    const isNamed = kind === 'tools' || kind === 'prompts';
    const remedy = isNamed ? 'give one a prefix' : 'give one another URI (an upstream of a gateway, a "uriPrefix")';
    return `"${name.slice(0, 200)}" of ${this.member.label} is offered by another part already: ${remedy}, or leave one out`;
  }

  /** Shows the entries of the part; returns the names that another part has. */
  #show(kind: Kind): readonly string[] {
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
    const later = this.#laterMirrors();
    let isAdded = false;
    for (const [name, entry] of offered) {
      if (shown.has(name)) continue;
      if (this.#whole.catalog[kind].has(name)) {
        if (this.#isShared(kind, entry)) continue;
        const holder = later.find((mirror) => mirror.shows(kind, name));
        if (holder === undefined) {
          taken.push(name);
          continue;
        }
        holder.#yield(kind, name);
      }
      this.#add(kind, name, entry);
      shown.set(name, entry);
      isAdded = true;
    }
    // The order is that of the parts, whichever of them is known first.
    if (isAdded) this.#precede(kind, later);
    return taken;
  }

  /** The parts after this one, which give way to it. */
  #laterMirrors(): readonly Mirror[] {
    const at = this.#mirrors.indexOf(this);
    return at === -1 ? [] : this.#mirrors.slice(at + 1);
  }

  /** Hides an entry, because a part before this one has the name. */
  #yield(kind: Kind, name: string): void {
    this.#whole.catalog[kind].remove(name);
    this.#shown.get(kind)?.delete(name);
    this.#reportTaken(kind, [...(this.#reported.get(kind) ?? []), name]);
  }

  #precede(kind: Kind, later: readonly Mirror[]): void {
    for (const mirror of later) {
      this.#whole.catalog[kind].moveToEnd((mirror.#shown.get(kind) as Map<string, Registered>).keys());
    }
  }

  /** True for the same resource object in another part, such as a shared view. */
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
        const { scopes } = tool;
        const shown: Tool = {
          name,
          ...(scopes && { scopes: bindScopes(tool, scopes) }),
          ...(listedFor && { listedFor }),
          call: servedByPart,
        };
        for (const key of ['input', 'output', 'annotations', 'task', 'checked'] as const)
          if (tool[key] !== undefined) Object.assign(shown, { [key]: tool[key] });
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

/** Scope functions of a class may need its instance. */
function bindScopes(item: Tool | Prompt, scopes: Scopes<[args: never]>): Scopes<[args: never]> {
  return typeof scopes === 'function' ? scopes.bind(item) : scopes;
}

function servedByPart(): never {
  throw new Error('A part serves this itself');
}

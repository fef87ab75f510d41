import type { Operation, Prompt, Resource, Server, Template, Tool } from '@ccmcp/core';

/** The lists of a server. */
export type Kind = 'tools' | 'prompts' | 'resources' | 'templates';
export type Item = Tool | Prompt | Resource | Template;

/** An item as it is shown, with its row as text and its upstream name. */
export interface Shown {
  readonly json: string;
  readonly upstream: string;
  readonly item: Item;
  readonly requiresTask?: boolean;
}

/** Items by kind and public name. */
export type Items = Readonly<Record<Kind, ReadonlyMap<string, Shown>>>;

interface SplitItemsOptions {
  /** The server of what all callers get. */
  readonly server: Server;
  keyOf(operation: Operation): string;
  createServer(): Server;
}

/** Shows what all lists have to all callers, and the rest to those whose lists have it. */
export class SplitItems {
  readonly #options: SplitItemsOptions;
  /** What was read, by key. */
  readonly #read = new Map<string, Items>();
  readonly #common: ShownItems;
  /** What is not in the lists of all, by key. */
  readonly #own = new Map<string, ShownItems>();

  constructor(options: SplitItemsOptions) {
    this.#options = options;
    this.#common = new ShownItems(options.server);
  }

  /** An item that the caller is shown, by its public name. */
  find(kind: Kind, name: string, operation: Operation): Shown | undefined {
    return this.#common.items[kind].get(name) ?? this.#ownOf(operation)?.items[kind].get(name);
  }

  /** The server with what only some callers get, this one among them; undefined if all get the same. */
  serverFor(operation: Operation): Server | undefined {
    return this.#ownOf(operation)?.server;
  }

  /** All servers with items. */
  get servers(): readonly Server[] {
    return [this.#options.server, ...Array.from(this.#own.values(), ({ server }) => server)];
  }

  /** The number of tools that are shown to all, or to some. */
  get tools(): number {
    const names = new Set(this.#common.items.tools.keys());
    for (const { items } of this.#own.values()) for (const name of items.tools.keys()) names.add(name);
    return names.size;
  }

  isShown(kind: Kind): boolean {
    return Array.from(this.#read.values()).some((items) => items[kind].size > 0);
  }

  /** True if any resource or template has the scheme. */
  hasScheme(scheme: string): boolean {
    for (const { resources, templates } of this.#read.values()) {
      for (const each of resources.keys()) if (each.startsWith(scheme)) return true;
      for (const each of templates.keys()) if (each.startsWith(scheme)) return true;
    }
    return false;
  }

  /** An item that was read before from the same row. */
  findSame(kind: Kind, name: string, json: string): Shown | undefined {
    for (const items of this.#read.values()) {
      const known = items[kind].get(name);
      if (known?.json === json) return known;
    }
    return undefined;
  }

  /** Replaces the list of a key. True if what anybody is shown has changed. */
  set(key: string, kind: Kind, items: ReadonlyMap<string, Shown>): boolean {
    this.#read.set(key, { ...(this.#read.get(key) ?? noItems), [kind]: items });
    // A list that was not read yet hides nothing from others.
    const lists = Array.from(this.#read.values(), (each) => each[kind]).filter((each) => each !== noItems[kind]);
    const common = new Map(items);
    for (const [name, shown] of items) if (lists.some((each) => each.get(name) !== shown)) common.delete(name);
    const isCommonChanged = this.#common.show(kind, common);
    const isSplit = this.#own.size > 0 || lists.some(({ size }) => size > common.size);
    let isOwnChanged = false;
    for (const [each, read] of isSplit ? this.#read : []) {
      const own = this.#own.get(each) ?? new ShownItems(this.#options.createServer());
      this.#own.set(each, own);
      if (own.show(kind, new Map(Array.from(read[kind]).filter(([name]) => !common.has(name))))) isOwnChanged = true;
    }
    if (isOwnChanged) this.#options.server[kind].changed();
    return isCommonChanged || isOwnChanged;
  }

  #ownOf(operation: Operation): ShownItems | undefined {
    if (this.#own.size === 0) return undefined;
    // Without lists of their own, callers get those that were read first.
    return this.#own.get(this.#options.keyOf(operation)) ?? this.#own.values().next().value;
  }
}

/** Items in the registries of a server. */
class ShownItems {
  readonly server: Server;
  readonly items: Readonly<Record<Kind, Map<string, Shown>>> = {
    tools: new Map(),
    prompts: new Map(),
    resources: new Map(),
    templates: new Map(),
  };

  constructor(server: Server) {
    this.server = server;
  }

  /** Replaces the items of a kind. True if any was added or removed. */
  show(kind: Kind, items: ReadonlyMap<string, Shown>): boolean {
    const shown = this.items[kind];
    const before = shown.size;
    for (const [name, entry] of shown) {
      if (items.get(name) === entry) continue;
      this.server[kind].remove(name);
      shown.delete(name);
    }
    const added = Array.from(items).filter(([name]) => !shown.has(name));
    const isChanged = shown.size < before || added.length > 0;
    for (const [name, entry] of this.#add(kind, added)) shown.set(name, entry);
    return isChanged;
  }

  /** Adds items. One that the server rejects is omitted and reported. */
  #add(kind: Kind, added: readonly [string, Shown][]): readonly [string, Shown][] {
    if (added.length === 0) return added;
    const registry = this.server[kind] as { add(...items: Item[]): void };
    try {
      registry.add(...added.map(([, { item }]) => item));
      return added;
    } catch {
      return added.filter(([name, { item }]) => {
        try {
          registry.add(item);
          return true;
        } catch (error) {
          this.server.reportError(`"${name.slice(0, 100)}" of the upstream's ${kind} is left out`, error);
          return false;
        }
      });
    }
  }
}

const noItems: Items = { tools: new Map(), prompts: new Map(), resources: new Map(), templates: new Map() };

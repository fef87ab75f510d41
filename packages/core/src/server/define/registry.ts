import type { Audience } from '../change-feed.ts';
import type { Offered } from '../server.ts';

/** Small enough for a million secret entries between two others, and exact in floating point. */
const SECRET_STEP = 2 ** -20;

/** Named entries of a server, in the order they were added, each with precomputed values. */
export class Registry<Item, Entry extends Registered = Registered> implements Offered<Item> {
  readonly #entries = new Map<string, Entry>();
  /** The entries by name, oldest first. */
  readonly entries: ReadonlyMap<string, Entry> = this.#entries;
  readonly #kind: RegistryKind<Item, Entry>;
  #last = 0;
  #list: readonly Entry[] | undefined;

  readonly changed: (to?: Audience) => void;

  constructor(kind: RegistryKind<Item, Entry>) {
    this.#kind = kind;
    this.changed = (to) => kind.changed(to);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds items and notifies listeners. A duplicate name is an error, and then nothing is added. */
  add(...items: Item[]): void {
    this.addAll(items);
  }

  /** Adds any number of items: a spread call is limited in its arguments. */
  addAll(items: Iterable<Item>): void {
    const before = this.#last;
    try {
      for (const item of items) this.#put(this.#kind.prepare(item, this.#nextFor(item)));
    } catch (error) {
      for (const { key, position } of this.#entries.values()) if (position > before) this.#entries.delete(key);
      this.#list = undefined;
      this.#kind.undone?.();
      throw error;
    }
    this.#list = undefined;
    if (this.#last > before) this.#kind.changed();
  }

  /**
   * Cursors encode positions. Secret entries have fractional positions, so that gaps don't reveal how many there are.
   */
  #nextFor(item: Item): number {
    return this.#kind.isSecret?.(item) === true ? this.#last + SECRET_STEP : Math.floor(this.#last) + 1;
  }

  #put(entry: Entry): void {
    const { key } = entry;
    if (this.#entries.has(key)) {
      throw new Error(`There is already a ${this.#kind.what} "${key}": remove it first, or choose another name`);
    }
    this.#entries.set(key, entry);
    this.#last = entry.position;
  }

  /** Removes an item by name and notifies listeners; false if there is none. */
  remove(key: string): boolean {
    const removed = this.#entries.delete(key);
    if (!removed) return false;
    this.#list = undefined;
    this.#kind.changed();
    return true;
  }

  /** Moves entries behind all others, in this order, and notifies listeners. */
  moveToEnd(keys: Iterable<string>): void {
    let isMoved = false;
    for (const key of keys) {
      const entry = this.#entries.get(key) as Entry & { position: number };
      this.#entries.delete(key);
      entry.position = this.#nextFor(this.#kind.itemOf(entry));
      this.#put(entry);
      isMoved = true;
    }
    if (!isMoved) return;
    this.#list = undefined;
    this.#kind.changed();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Item | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : this.#kind.itemOf(entry);
  }

  /** The items, oldest first. */
  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (const entry of this.#entries.values()) yield this.#kind.itemOf(entry);
  }

  /** All entries, oldest first: an immutable array, replaced on every change. */
  get list(): readonly Entry[] {
    this.#list ??= [...this.#entries.values()];
    return this.#list;
  }
}

/** An entry: its name, and a sequence number for pagination. */
export interface Registered {
  readonly key: string;
  readonly position: number;
}

/** How a registry treats its kind of item. */
export interface RegistryKind<Item, Entry extends Registered> {
  /** The kind of item, for errors. */
  what: string;
  prepare(item: Item, position: number): Entry;
  itemOf(entry: Entry): Item;
  /** True for an entry that is hidden from some callers. */
  isSecret?(item: Item): boolean;
  changed(to?: Audience): void;
  /** Called when adding failed, and nothing was added. */
  undone?(): void;
}

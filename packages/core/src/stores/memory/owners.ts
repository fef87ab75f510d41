import { LinkedList, ListNode } from './linked-list.ts';

/** Indexes the items of a kind by owner, and orders owners by how many items they have. */
export class OwnerIndex<T extends ListNode> {
  readonly #byName = new Map<string, Owner<T>>();
  /** Owners by number of items, each list in the order of last use. */
  readonly bySize: (LinkedList<Owner<T>> | undefined)[] = [];
  /** The total length of all fields. */
  length = 0;
  /** True if this kind has its own budget. */
  isCountedSeparately = false;
  #largest = 0;
  #size = 0;

  /** The number of items. */
  get size(): number {
    return this.#size;
  }

  /** The owner with this name, who may have no items yet. */
  owner(name: string): Owner<T> {
    return this.#byName.get(name) ?? new Owner(name, this);
  }

  /** All owners: those with most items first, then the least recently used. */
  *largestFirst(): Iterable<Owner<T>> {
    for (let size = this.#largest; size > 0; size--) {
      let owner = this.bySize[size]?.first;
      while (owner !== undefined) {
        yield owner;
        owner = owner.after as Owner<T> | undefined;
      }
    }
  }

  /** Updates the index after an owner gained or lost an item. */
  sizeChanged(owner: Owner<T>, before: number): void {
    const { size, name } = owner;
    this.#size += size - before;
    if (before > 0) this.#removeFromSize(before, owner);
    if (size === 0) {
      this.#byName.delete(name);
    } else {
      this.#byName.set(name, owner);
      this.bySize[size] ??= new LinkedList();
      this.bySize[size].add(owner);
    }
    this.#largest = Math.max(this.#largest, size);
    while (this.#largest > 0 && (this.bySize[this.#largest]?.size ?? 0) === 0) this.#largest -= 1;
  }

  #removeFromSize(size: number, owner: Owner<T>): void {
    const list = this.bySize[size];
    list?.remove(owner);
    // Removes empty lists, which a growing owner would leave behind.
    if (list?.size === 0) this.bySize[size] = undefined;
  }
}

/** The items of one owner, in the order of last use. */
export class Owner<T extends ListNode> extends ListNode {
  readonly #list = new LinkedList<T>();
  /** The total length of the fields and members of their items. */
  length = 0;
  memberLength = 0;

  constructor(
    readonly name: string,
    readonly index: OwnerIndex<T>,
  ) {
    super();
  }

  get size(): number {
    return this.#list.size;
  }

  /** The least recently used item. */
  get first(): T | undefined {
    return this.#list.first;
  }

  add(thing: T): void {
    this.#list.add(thing);
    this.index.sizeChanged(this, this.size - 1);
  }

  remove(thing: T): void {
    this.#list.remove(thing);
    this.index.sizeChanged(this, this.size + 1);
  }

  use(thing: T): void {
    this.#list.moveLast(thing);
    this.index.bySize[this.#list.size]?.moveLast(this);
  }

  /** Moves an item to the end without counting it as used. */
  skip(thing: T): void {
    this.#list.moveLast(thing);
  }
}

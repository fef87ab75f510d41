import { LinkedList, ListNode } from './linked-list.ts';

/** Things of one kind, by whom they belong to: shows who has the most. */
export class OwnerIndex<T extends ListNode> {
  readonly #byName = new Map<string, Owner<T>>();
  /** Those who have so many each, in the order of last use. */
  readonly #bySize: (LinkedList<Owner<T>> | undefined)[] = [];
  /** What the fields of all things take. */
  length = 0;
  /** True where that is counted for itself. */
  isCountedSeparately = false;
  #largest = 0;
  #size = 0;

  /** How many things there are. */
  get size(): number {
    return this.#size;
  }

  /** The owner of a name, who may have nothing yet. */
  owner(name: string): Owner<T> {
    return this.#byName.get(name) ?? new Owner(name, this);
  }

  /** All owners: who has more comes first, and of those with as many, who used theirs least recently. */
  *largestFirst(): Iterable<Owner<T>> {
    for (let size = this.#largest; size > 0; size--) {
      let owner = this.#bySize[size]?.first;
      while (owner !== undefined) {
        yield owner;
        owner = owner.after as Owner<T> | undefined;
      }
    }
  }

  /** Keeps account of an owner who has one more, or one less, than before. */
  sizeChanged(owner: Owner<T>, before: number): void {
    const { size, name } = owner;
    this.#size += size - before;
    if (before > 0) this.#removeFromSize(before, owner);
    if (size === 0) {
      this.#byName.delete(name);
    } else {
      this.#byName.set(name, owner);
      this.#bySize[size] ??= new LinkedList();
      this.#bySize[size].add(owner);
    }
    this.#largest = Math.max(this.#largest, size);
    while (this.#largest > 0 && (this.#bySize[this.#largest]?.size ?? 0) === 0) this.#largest -= 1;
  }

  #removeFromSize(size: number, owner: Owner<T>): void {
    const list = this.#bySize[size];
    list?.remove(owner);
    // One who gets more and more would leave a list behind with each.
    if (list?.size === 0) this.#bySize[size] = undefined;
  }

  touched(owner: Owner<T>): void {
    this.#bySize[owner.size]?.moveLast(owner);
  }
}

/** What belongs to one, in the order of last use. */
export class Owner<T extends ListNode> extends ListNode {
  readonly #list = new LinkedList<T>();
  /** What the fields of all that belongs to them take, and the members. */
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

  /** What was used least recently. */
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
    this.index.touched(this);
  }

  /** Puts off what would be the next to go, without counting that as use. */
  skip(thing: T): void {
    this.#list.moveLast(thing);
  }
}

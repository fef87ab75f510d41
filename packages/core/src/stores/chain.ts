/** Something that can be in a chain. */
export class Link {
  /** Undefined at either end. Only the chain changes these. */
  before: Link | undefined;
  after: Link | undefined;
}

/** Things one after another, each of which can be taken out or put last without looking for it. */
export class Chain<T extends Link> {
  #first: Link | undefined;
  #last: Link | undefined;
  #size = 0;

  get first(): T | undefined {
    return this.#first as T | undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** Puts last what is in no chain. */
  add(link: T): void {
    this.#size += 1;
    this.#append(link);
  }

  remove(link: T): void {
    this.#size -= 1;
    this.#detach(link);
  }

  moveLast(link: T): void {
    if (link === this.#last) return;
    this.#detach(link);
    this.#append(link);
  }

  #append(link: Link): void {
    const last = this.#last;
    link.before = last;
    link.after = undefined;
    if (last === undefined) this.#first = link;
    else last.after = link;
    this.#last = link;
  }

  #detach({ before, after }: Link): void {
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
  }
}

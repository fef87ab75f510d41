/** A node of a linked list, in one list at a time. */
export class ListNode {
  /** Undefined at the ends. Only the list changes these. */
  before: ListNode | undefined;
  after: ListNode | undefined;
}

/** A doubly linked list: removes a node, or moves it to the end, in constant time. */
export class LinkedList<T extends ListNode> {
  #first: ListNode | undefined;
  #last: ListNode | undefined;
  /** Only the list changes it. */
  size = 0;

  get first(): T | undefined {
    return this.#first as T | undefined;
  }

  /** Appends a node that is in no list. */
  add(node: T): void {
    this.size += 1;
    this.#append(node);
  }

  remove(node: T): void {
    this.size -= 1;
    this.#detach(node);
  }

  moveLast(node: T): void {
    if (node === this.#last) return;
    this.#detach(node);
    this.#append(node);
  }

  #append(node: ListNode): void {
    const last = this.#last;
    node.before = last;
    node.after = undefined;
    if (last === undefined) this.#first = node;
    else last.after = node;
    this.#last = node;
  }

  #detach(node: ListNode): void {
    const { before, after } = node;
    // A removed node that the collector finds late would keep all that came after it.
    node.before = undefined;
    node.after = undefined;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
  }
}

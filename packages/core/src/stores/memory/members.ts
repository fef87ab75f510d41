import type { MemberChanges } from '../store.ts';

/** The overhead of a member, added to its length. */
export const memberOverhead = 64;

/** The members of one record. */
export class Members {
  readonly #members = new Set<string>();
  #length = 0;

  get size(): number {
    return this.#members.size;
  }

  /** Their share of the total budget. */
  get weight(): number {
    return this.#length + memberOverhead * this.size;
  }

  /** A copy of the current members. */
  copy(): Set<string> {
    return new Set(this.#members);
  }

  /** Applies all changes, or none: returns false if the additions exceed a limit. `room` is the remaining budget. */
  alter(changes: MemberChanges, room: number): boolean {
    const { max } = changes;
    const add = new Set(changes.add);
    const added = [...add].filter((member) => !this.#members.has(member));
    const removed = changes.remove.filter((member) => this.#members.has(member) && !add.has(member));
    const count = added.length - removed.length;
    const length = lengthOf(added) - lengthOf(removed);
    if (added.length > 0) {
      if (max !== undefined && (this.size + count > max.count || this.#length + length > max.length)) return false;
      if (length + memberOverhead * count > room) return false;
    }
    for (const member of removed) this.#members.delete(member);
    for (const member of added) this.#members.add(member);
    this.#length += length;
    return true;
  }
}

function lengthOf(members: readonly string[]): number {
  let length = 0;
  for (const member of members) length += member.length;
  return length;
}

import type { TaskStore } from './task-store.ts';

/** How often lists in the store are kept from expiring. */
const prolongMs = 60 * 60 * 1000;

/** How one instance lets others know that it is there and works on tasks: by a name, and a lease that it renews. */
export class Presence {
  readonly #store: TaskStore;
  readonly #leaseMs: number;
  /** By these names others know, or knew, this instance. */
  readonly #names = new Set<string>();
  #name = this.#newName();
  #enlisted: Promise<void> | undefined;
  #prolonged = performance.now();
  /** When it said last that it is alive, and was heard. */
  #heldAt: number | undefined;
  #lapses = 0;

  constructor(store: TaskStore, leaseMs: number) {
    this.#store = store;
    this.#leaseMs = leaseMs;
  }

  /** The name that the instance has now. */
  get name(): string {
    return this.#name;
  }

  /** True once others may know of it. */
  get isEnlisted(): boolean {
    return this.#enlisted !== undefined;
  }

  /** True while nobody can take this instance for gone. */
  get isCertain(): boolean {
    return this.#heldAt !== undefined && performance.now() - this.#heldAt < this.#leaseMs;
  }

  /** How often others may have taken it for gone, as far as it has noticed. */
  get lapses(): number {
    return this.#lapses;
  }

  /** True for the names of this instance, those included that it had. */
  owns(name: string): boolean {
    return this.#names.has(name);
  }

  /** Says that this instance is alive, and works on tasks. */
  async enlist(): Promise<void> {
    this.#enlisted ??= this.enter();
    try {
      await this.#enlisted;
    } catch (error) {
      this.#enlisted = undefined;
      throw error;
    }
  }

  /** Says it again. Where the instance had been taken for dead, it has another name then. */
  async renew(): Promise<void> {
    const isAlive = await this.#hold();
    if (!isAlive) {
      // The store could not be reached: others have its tasks, or would take them.
      this.#name = this.#newName();
      this.#enlisted = undefined;
      await this.enlist();
      return;
    }
    // A store that was emptied, or lacked room, has forgotten who is there.
    await this.#store.enlist(this.#name);
    const now = performance.now();
    if (now - this.#prolonged < prolongMs) return;
    this.#prolonged = now;
    await this.#store.prolong(this.#name);
  }

  /** Says that this instance works on tasks no more. */
  async leave(): Promise<void> {
    if (this.#enlisted !== undefined) await Promise.allSettled([this.#store.dismiss(this.#name)]);
    this.#enlisted = undefined;
  }

  /** Lets others know that this instance is gone, and has left tasks behind. */
  async vanish(): Promise<void> {
    if (this.#enlisted !== undefined) await Promise.allSettled([this.#store.release(this.#name, this.#name)]);
    this.#enlisted = undefined;
  }

  /** Says to a store that does not know it that this instance is alive. */
  async enter(): Promise<void> {
    await Promise.all([this.#hold(), this.#store.enlist(this.#name)]);
  }

  /** False where somebody else has taken its place. */
  async #hold(): Promise<boolean> {
    const now = performance.now();
    const isAlive = await this.#store.hold(this.#name, this.#name, this.#leaseMs);
    if (!isAlive || (this.#heldAt !== undefined && !this.isCertain)) this.#lapses += 1;
    if (isAlive) this.#heldAt = now;
    return isAlive;
  }

  #newName(): string {
    const name = crypto.randomUUID();
    this.#names.add(name);
    return name;
  }
}

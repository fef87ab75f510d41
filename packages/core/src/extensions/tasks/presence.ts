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

  /** True for the names of this instance, those included that it had. */
  owns(name: string): boolean {
    return this.#names.has(name);
  }

  /** Says that this instance is alive, and works on tasks. */
  async enlist(): Promise<void> {
    this.#enlisted ??= this.#enter();
    try {
      await this.#enlisted;
    } catch (error) {
      this.#enlisted = undefined;
      throw error;
    }
  }

  /** Says it again. Gives true where the instance had been taken for dead, and has another name now. */
  async renew(): Promise<boolean> {
    const isAlive = await this.#store.hold(this.#name, this.#name, this.#leaseMs);
    if (!isAlive) {
      // The store could not be reached: others have its tasks, or would take them.
      this.#name = this.#newName();
      this.#enlisted = undefined;
      await this.enlist();
      return true;
    }
    // A store that was emptied, or lacked room, has forgotten who is there.
    await this.#store.enlist(this.#name);
    const now = performance.now();
    if (now - this.#prolonged < prolongMs) return false;
    this.#prolonged = now;
    await this.#store.prolong(this.#name);
    return false;
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

  async #enter(): Promise<void> {
    await Promise.all([this.#store.hold(this.#name, this.#name, this.#leaseMs), this.#store.enlist(this.#name)]);
  }

  #newName(): string {
    const name = crypto.randomUUID();
    this.#names.add(name);
    return name;
  }
}

import type { TaskStore } from './task-store.ts';

/** How often lists in the store are kept from expiring. */
const listRefreshMs = 60 * 60 * 1000;

/** How one instance lets others know that it is there and works on tasks: by a name, and a lease that it renews. */
export class Heartbeat {
  readonly #store: TaskStore;
  readonly #leaseMs: number;
  /** By these names others know, or knew, this instance. */
  readonly #workerIds = new Set<string>();
  #workerId = this.#newWorkerId();
  #registered: Promise<void> | undefined;
  #listsRefreshedAt = performance.now();
  /** When it said last that it is alive, and was heard. */
  #renewedAt: number | undefined;
  #lapses = 0;

  constructor(store: TaskStore, leaseMs: number) {
    this.#store = store;
    this.#leaseMs = leaseMs;
  }

  /** The name that the instance has now. */
  get workerId(): string {
    return this.#workerId;
  }

  /** True once others may know of it. */
  get isRegistered(): boolean {
    return this.#registered !== undefined;
  }

  /** True while nobody can take this instance for gone. */
  get holdsLease(): boolean {
    return this.#renewedAt !== undefined && performance.now() - this.#renewedAt < this.#leaseMs;
  }

  /** How often others may have taken it for gone, as far as it has noticed. */
  get lapses(): number {
    return this.#lapses;
  }

  /** True for the names of this instance, those included that it had. */
  owns(name: string): boolean {
    return this.#workerIds.has(name);
  }

  /** Says that this instance is alive, and works on tasks. */
  async register(): Promise<void> {
    this.#registered ??= this.announce();
    try {
      await this.#registered;
    } catch (error) {
      this.#registered = undefined;
      throw error;
    }
  }

  /** Says it again. Where the instance had been taken for dead, it has another name then. */
  async renew(): Promise<void> {
    const isAlive = await this.#renewLease();
    if (!isAlive) {
      // The store could not be reached: others have its tasks, or would take them.
      this.#workerId = this.#newWorkerId();
      this.#registered = undefined;
      await this.register();
      return;
    }
    // A store that was emptied, or lacked room, has forgotten who is there.
    await this.#store.registerWorker(this.#workerId);
    const now = performance.now();
    if (now - this.#listsRefreshedAt < listRefreshMs) return;
    this.#listsRefreshedAt = now;
    await this.#store.refreshLists(this.#workerId);
  }

  /** Says that this instance works on tasks no more. */
  async unregister(): Promise<void> {
    if (this.#registered !== undefined) await Promise.allSettled([this.#store.removeWorker(this.#workerId)]);
    this.#registered = undefined;
  }

  /** Lets others know that this instance is gone, and has left tasks behind. */
  async releaseLease(): Promise<void> {
    if (this.#registered !== undefined)
      await Promise.allSettled([this.#store.releaseLease(this.#workerId, this.#workerId)]);
    this.#registered = undefined;
  }

  /** Says to a store that does not know it that this instance is alive. */
  async announce(): Promise<void> {
    await Promise.all([this.#renewLease(), this.#store.registerWorker(this.#workerId)]);
  }

  /** False where somebody else has taken its place. */
  async #renewLease(): Promise<boolean> {
    const now = performance.now();
    const isAlive = await this.#store.acquireLease(this.#workerId, this.#workerId, this.#leaseMs);
    if (!isAlive || (this.#renewedAt !== undefined && !this.holdsLease)) this.#lapses += 1;
    if (isAlive) this.#renewedAt = now;
    return isAlive;
  }

  #newWorkerId(): string {
    const name = crypto.randomUUID();
    this.#workerIds.add(name);
    return name;
  }
}

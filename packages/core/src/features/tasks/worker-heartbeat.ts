import type { TaskStore } from './task-store.ts';

/** How many heartbeats fit into the lease. */
const heartbeatsPerLease = 3;

/** How often the lifetime of lists in the store is extended. */
const listRefreshMs = 60 * 60 * 1000;

/** The liveness of one instance that runs tasks: a worker id, and a lease that is renewed. */
export class WorkerHeartbeat {
  readonly #store: TaskStore;
  readonly leaseMs: number;
  /** The current and former ids of this instance. */
  readonly #workerIds = new Set<string>();
  #workerId = this.#newWorkerId();
  #registered: Promise<void> | undefined;
  #listsRefreshedAt = performance.now();
  /** When the lease was last renewed. */
  #renewedAt: number | undefined;
  #lapses = 0;

  constructor(store: TaskStore, leaseMs: number) {
    this.#store = store;
    this.leaseMs = leaseMs;
  }

  /** The time between two heartbeats. */
  get intervalMs(): number {
    return this.leaseMs / heartbeatsPerLease;
  }

  /** The current worker id. */
  get workerId(): string {
    return this.#workerId;
  }

  /** True once other instances may know this one. */
  get isRegistered(): boolean {
    return this.#registered !== undefined;
  }

  /** True while no other instance can take over. */
  get holdsLease(): boolean {
    return this.#renewedAt !== undefined && performance.now() - this.#renewedAt < this.leaseMs;
  }

  /** How often the lease may have lapsed, as far as this instance noticed. */
  get lapses(): number {
    return this.#lapses;
  }

  /** True for the current and former ids of this instance. */
  owns(name: string): boolean {
    return this.#workerIds.has(name);
  }

  /** Registers the instance as a worker. */
  async register(): Promise<void> {
    this.#registered ??= this.announce();
    try {
      await this.#registered;
    } catch (error) {
      this.#registered = undefined;
      throw error;
    }
  }

  /** Renews the lease. If the instance was taken for dead, it gets a new id. */
  async renew(): Promise<void> {
    const isAlive = await this.#renewLease();
    if (!isAlive) {
      // The store was unreachable: other instances have taken over its tasks, or will.
      this.#workerId = this.#newWorkerId();
      this.#registered = undefined;
      await this.register();
      return;
    }
    // A store that was emptied or full has lost the registration.
    await this.#store.workers.register(this.#workerId);
    const now = performance.now();
    if (now - this.#listsRefreshedAt < listRefreshMs) return;
    this.#listsRefreshedAt = now;
    await this.#store.refreshLists(this.#workerId);
  }

  /** Removes the registration. */
  async unregister(): Promise<void> {
    if (this.#registered !== undefined) await Promise.allSettled([this.#store.workers.remove(this.#workerId)]);
    this.#registered = undefined;
  }

  /** Releases the lease, so that other instances take over its tasks. */
  async releaseLease(): Promise<void> {
    if (this.#registered !== undefined)
      await Promise.allSettled([this.#store.workers.releaseLease(this.#workerId, this.#workerId)]);
    this.#registered = undefined;
  }

  /** Registers with a store that does not know the instance. */
  async announce(): Promise<void> {
    await Promise.all([this.#renewLease(), this.#store.workers.register(this.#workerId)]);
  }

  /** False if another instance holds the lease. */
  async #renewLease(): Promise<boolean> {
    const now = performance.now();
    const isAlive = await this.#store.workers.acquireLease(this.#workerId, this.#workerId, this.leaseMs);
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

import type { Store } from '../../stores/store.ts';
import { addToList, alterList, listLife, removeFromList } from './task-lists.ts';

const nobody = 'nobody';

/** The workers that run the tasks of a server: their leases, and which tasks each of them has. */
export class WorkerRegistry {
  readonly #store: Store;
  readonly #name: string;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  /** The registered workers. */
  async all(): Promise<ReadonlySet<string>> {
    return await this.#store.members(this.#workersKey);
  }

  async register(worker: string): Promise<void> {
    await addToList(this.#store, this.#workersKey, worker, Number.POSITIVE_INFINITY);
  }

  /** Removes a worker whose tasks were taken over. */
  async remove(worker: string): Promise<void> {
    await Promise.all([
      removeFromList(this.#store, this.#workersKey, worker),
      this.#store.remove(this.#tasksKey(worker)),
      this.#store.remove(this.#leaseKey(worker)),
    ]);
  }

  /** Extends the lifetime of the lists that name a worker and its tasks. */
  async refresh(worker: string): Promise<void> {
    const keys = [this.#workersKey, this.#tasksKey(worker)];
    await Promise.all(keys.map(async (key) => this.#store.read(key, listLife)));
  }

  /** Puts a task on the list of a worker; empty: of released tasks. False if the list was new. */
  async assign(id: string, worker: string): Promise<boolean> {
    return (await alterList(this.#store, this.#tasksKey(worker), { add: [id], remove: [] })) !== 'new';
  }

  async unassign(id: string, worker: string): Promise<void> {
    await removeFromList(this.#store, this.#tasksKey(worker), id);
  }

  /** The tasks of a worker. */
  async tasksOf(worker: string): Promise<ReadonlySet<string>> {
    return await this.#store.members(this.#tasksKey(worker));
  }

  /** Acquires or renews the lease of a worker. False if another holder has it. */
  async acquireLease(worker: string, holder: string, leaseMs: number): Promise<boolean> {
    return await this.#store.lease(this.#leaseKey(worker), holder, { ...listLife, ttlMs: leaseMs });
  }

  async releaseLease(worker: string, holder: string): Promise<void> {
    await this.#store.release(this.#leaseKey(worker), holder);
  }

  /** True for one instance in each period: that one sweeps dead workers. */
  async claimSweep(periodMs: number): Promise<boolean> {
    return await this.#store.claim(`${this.#name}/turn`, { ...listLife, ttlMs: periodMs });
  }

  get #workersKey(): string {
    return `${this.#name}/workers`;
  }

  #tasksKey(worker: string): string {
    return `${this.#name}/by/${worker || nobody}`;
  }

  #leaseKey(worker: string): string {
    return `${this.#name}/alive/${worker || nobody}`;
  }
}

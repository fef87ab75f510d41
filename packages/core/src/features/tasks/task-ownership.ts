import { unref } from '../../runtime/timers.ts';
import type { WorkerHeartbeat } from './worker-heartbeat.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import type { TaskStore } from './task-store.ts';

/** A task that runs here, as far as its owner is concerned. */
export interface OwnedRun {
  readonly id: string;
  /** True if the task has left this instance, or is about to. */
  readonly isOver: boolean;
  /** Applies the stored state; undefined: the task is gone. */
  apply(record: TaskRecord | undefined): void;
}

/** The instance whose tasks are owned. */
interface OwnershipHost {
  readonly store: TaskStore;
  readonly heartbeat: WorkerHeartbeat;
  readonly tasks: { all(): readonly OwnedRun[] };
  reportError(message: string, error: unknown): void;
}

/**
 * Which running tasks surely belong to this instance. While its lease has lapsed, another instance may take them over;
 * afterwards they are reclaimed, unless that has happened.
 */
export class TaskOwnership {
  readonly #host: OwnershipHost;
  #renewing: Promise<void> | undefined;
  #reclaiming: Promise<void> | undefined;
  /** The lapses of the heartbeat after which tasks were reclaimed. */
  #handledLapses = 0;
  /** Tasks created during a lapse. */
  readonly #uncertain = new WeakSet<OwnedRun>();

  constructor(host: OwnershipHost) {
    this.#host = host;
  }

  /** Adds a task that was created after so many lapses. */
  add(run: OwnedRun, lapses: number): void {
    if (lapses !== this.#host.heartbeat.lapses) this.#uncertain.add(run);
  }

  /** True if no other instance can have taken over or ended the task because this one was silent. */
  isCertain(run: OwnedRun): boolean {
    const { holdsLease, lapses } = this.#host.heartbeat;
    return holdsLease && lapses === this.#handledLapses && !this.#uncertain.has(run);
  }

  /** Resolves when ownership is certain again, or the task has left this instance. */
  async waitUntilCertain(run: OwnedRun): Promise<void> {
    while (!this.isCertain(run) && !run.isOver) {
      try {
        await this.renew();
        await this.#reclaim(run);
        this.#uncertain.delete(run);
      } catch (error) {
        this.#host.reportError('A task waits until the store confirms its owner', error);
        await new Promise((resolve) => unref(setTimeout(resolve, this.#host.heartbeat.intervalMs)));
      }
    }
  }

  /** Renews the lease. After a lapse, reclaims the tasks that others left. */
  async renew(): Promise<void> {
    const { heartbeat } = this.#host;
    this.#renewing ??= heartbeat.renew().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
    if (heartbeat.lapses === this.#handledLapses) return;
    // Not awaited by the next heartbeat, which must not be late.
    this.#reclaiming ??= this.#reclaimAll().finally(() => {
      this.#reclaiming = undefined;
    });
    await this.#reclaiming;
  }

  async #reclaimAll(): Promise<void> {
    const { heartbeat } = this.#host;
    while (heartbeat.lapses !== this.#handledLapses) {
      const { lapses } = heartbeat;
      for (const run of this.#host.tasks.all()) await this.#reclaim(run);
      this.#handledLapses = lapses;
    }
  }

  /** Moves a task to the current worker id, unless another instance has taken it. */
  async #reclaim(run: OwnedRun): Promise<void> {
    const { store, heartbeat } = this.#host;
    const { id } = run;
    const worker = heartbeat.workerId;
    await store.workers.assign(id, worker);
    const change = (record: TaskRecord): TaskChanges | undefined =>
      heartbeat.owns(record.worker) && record.worker !== worker ? { worker } : undefined;
    const record = await store.update(id, change);
    if (record === undefined || !heartbeat.owns(record.worker)) await store.workers.unassign(id, worker);
    run.apply(record);
  }
}

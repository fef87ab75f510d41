import { limits } from '../../limits.ts';
import type { Service } from '../../server/aside.ts';
import type { Heartbeat } from './heartbeat.ts';
import { isFinal } from './protocol.ts';
import { firstVersion, type TaskChanges, type TaskRecord } from './task-record.ts';
import { toCancelled, toExpired, toTooManyAttempts, hasExpired, toInterrupted } from './task-transitions.ts';
import type { TaskStore } from './task-store.ts';

/** Where tasks are taken to. */
export interface TakeoverHost {
  readonly store: TaskStore;
  readonly heartbeat: Heartbeat;
  readonly leaseMs: number;
  /** How often it is looked after the tasks of others. */
  readonly heartbeatMs: number;
  /** Does the work of tasks again; undefined: nobody here can. */
  readonly service: Service | undefined;
  readonly isClosed: boolean;
  /** Lets others know of this instance. */
  register(): Promise<void>;
  /** True for a task that is worked on here, or is about to be. */
  has(id: string): boolean;
  /** Does the work of a task again; false where it is over. */
  resume(task: TaskRecord, service: Service): Promise<boolean>;
  /** Does something about which nobody waits. */
  runInBackground(work: () => Promise<unknown>): void;
}

/** So many instances that may be gone are remembered. */
const maxCheckedWorkers = 3 * limits.tasks.listened.value;

/** Takes the tasks of instances that are gone, and has them done again where that is allowed. */
export class TaskTakeover {
  readonly #host: TakeoverHost;
  readonly #checkedAt = new Map<string, number>();
  /** The tasks that are being taken, and the instances from which. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(host: TakeoverHost) {
    this.#host = host;
  }

  /** Somebody asks for a task: where the instance that works on it is gone, its tasks are taken. */
  checkWorker({ id, worker, status }: TaskRecord): void {
    const { heartbeat, heartbeatMs: beatMs } = this.#host;
    if (isFinal(status)) return;
    if (heartbeat.owns(worker)) return this.#reconcileIfMissing(id);
    const now = performance.now();
    if ((this.#checkedAt.get(worker) ?? Number.NEGATIVE_INFINITY) + beatMs > now) return;
    if (this.#checkedAt.size > maxCheckedWorkers) this.#checkedAt.clear();
    this.#checkedAt.set(worker, now);
    this.#host.runInBackground(() => this.#takeOverWorker(worker, id));
  }

  /** Takes the tasks of all instances that are gone. */
  async sweep(): Promise<void> {
    const { store, heartbeat } = this.#host;
    for (const worker of ['', ...(await store.workers())]) {
      if (!heartbeat.owns(worker)) await this.#takeOverWorker(worker);
    }
  }

  /** Looks after tasks that are said to be worked on here, and are not. */
  async reconcileOwn(): Promise<void> {
    const { store, heartbeat } = this.#host;
    for (const id of await store.assigned(heartbeat.workerId)) await this.#reconcile(id);
  }

  /** Takes a task of an instance that is gone; empty: one that nobody works on. */
  takeOver(id: string, from: string): Promise<void> {
    return this.#singleFlight(`task ${id}`, () => this.#takeOverTask(id, from));
  }

  /** Resolved when nothing is being taken any more. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  /** Takes the tasks of an instance, and one that is known to be its, if it is gone. */
  #takeOverWorker(worker: string, known?: string): Promise<void> {
    return this.#singleFlight(`instance ${worker}`, () => this.#takeOverAll(worker, known));
  }

  #reconcileIfMissing(id: string): void {
    if (!this.#host.has(id)) this.#host.runInBackground(() => this.#reconcile(id));
  }

  #reconcile(id: string): Promise<void> {
    return this.#singleFlight(`task ${id}`, () => this.#reconcileTask(id));
  }

  /**
   * A store that was frozen does later what nobody waits for any more: it may have made a task whose caller was refused, or
   * given one to this instance that did not hear of it.
   */
  async #reconcileTask(id: string): Promise<void> {
    const { store, heartbeat } = this.#host;
    if (this.#host.has(id)) return;
    const record = await store.read(id);
    if (this.#host.has(id)) return;
    if (record === undefined || isFinal(record.status) || !heartbeat.owns(record.worker)) {
      await store.unassign(id, heartbeat.workerId);
    } else if (record.version === firstVersion) {
      await store.discard(record);
    } else {
      await this.#takeOverTask(id, record.worker);
    }
  }

  /** Several reasons to do the same come at the same time: it is done once. */
  #singleFlight(what: string, work: () => Promise<void>): Promise<void> {
    const working = this.#running.get(what) ?? work().finally(() => this.#running.delete(what));
    this.#running.set(what, working);
    return working;
  }

  /** The lease of an instance that is gone is to be had, by one of all who try. */
  async #takeOverAll(worker: string, known: string | undefined): Promise<void> {
    const { store, heartbeat, leaseMs, service, isClosed } = this.#host;
    if (isClosed || service === undefined) return;
    const ids = worker === '' ? await store.assigned('') : undefined;
    if (ids?.size === 0 && known === undefined) return;
    const holder = heartbeat.workerId;
    if (!(await store.acquireLease(worker, holder, leaseMs))) return;
    let isDone = false;
    try {
      const all = new Set(ids ?? (await store.assigned(worker)));
      if (known !== undefined) all.add(known);
      for (const id of all) if (!this.#host.isClosed) await this.takeOver(id, worker);
      isDone = !this.#host.isClosed;
    } finally {
      if (isDone && worker !== '') await store.removeWorker(worker);
      else await store.releaseLease(worker, holder);
    }
  }

  async #takeOverTask(id: string, from: string): Promise<void> {
    const { store, heartbeat, service } = this.#host;
    if (this.#host.has(id) || service === undefined) return;
    await this.#host.register();
    const worker = heartbeat.workerId;
    await store.assign(id, worker);
    const { record: taken, isChanged } = await store.tryUpdate(id, (record) =>
      record.worker === from ? takeoverChanges(record, worker) : undefined,
    );
    if (from === '') await store.unassign(id, '');
    const isMine = isChanged && taken?.worker === worker;
    if (isMine && (await this.#host.resume(taken, service))) return;
    await store.unassign(id, worker);
    if (isChanged && taken !== undefined) await store.publish(taken);
  }
}

/** What becomes of a task whose instance is gone. */
function takeoverChanges(record: TaskRecord, worker: string): TaskChanges {
  if (record.cancelling) return toCancelled();
  if (hasExpired(record)) return toExpired(record);
  const { runsAgain, attempts } = record;
  if (!runsAgain) return toInterrupted();
  // It was let go of in order: that is nothing that the task can have done.
  if (record.worker === '') return { worker };
  return attempts < limits.tasks.attempts.value ? { worker, attempts: attempts + 1 } : toTooManyAttempts(attempts);
}

import type { Service } from '../../server/call/background-job.ts';
import type { WorkerHeartbeat } from './worker-heartbeat.ts';
import { isFinal } from './protocol.ts';
import { firstVersion, type TaskChanges, type TaskRecord } from './task-record.ts';
import { toCancelled, toExpired, toTooManyAttempts, hasExpired, toInterrupted } from './task-transitions.ts';
import type { TaskStore } from './task-store.ts';

/** Maximum number of tasks of one subscription. */
export const maxSubscribedTasks = 100;

/** Maximum number of times that the handler of a task is started, if instances crash. */
const maxAttempts = 3;

/** The instance that takes over tasks. */
export interface TakeoverHost {
  readonly store: TaskStore;
  readonly heartbeat: WorkerHeartbeat;
  /** The tasks that run here, or are about to. */
  readonly tasks: { has(id: string): boolean };
  /** Reruns tasks; undefined: this instance can't. */
  readonly service: Service | undefined;
  readonly isClosed: boolean;
  /** Registers this instance. */
  register(): Promise<void>;
  /** Runs a task again; false if it has ended. */
  resume(task: TaskRecord, service: Service): Promise<boolean>;
  /** Runs something in the background. */
  runInBackground(work: () => Promise<unknown>): void;
}

/** How many recently checked workers are remembered. */
const maxCheckedWorkers = 3 * maxSubscribedTasks;

/** Takes over the tasks of dead workers, and runs them again if that is allowed. */
export class TaskTakeover {
  readonly #host: TakeoverHost;
  readonly #checkedAt = new Map<string, number>();
  /** Takeovers in progress, by task and by worker. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(host: TakeoverHost) {
    this.#host = host;
  }

  /** Called when a task is read: takes over the tasks of its worker if that is dead. */
  checkWorker({ id, worker, status }: TaskRecord): void {
    const { heartbeat } = this.#host;
    if (isFinal(status)) return;
    if (heartbeat.owns(worker)) return this.#reconcileIfMissing(id);
    const now = performance.now();
    if ((this.#checkedAt.get(worker) ?? Number.NEGATIVE_INFINITY) + heartbeat.intervalMs > now) return;
    if (this.#checkedAt.size > maxCheckedWorkers) this.#checkedAt.clear();
    this.#checkedAt.set(worker, now);
    this.#host.runInBackground(() => this.#takeOverWorker(worker, id));
  }

  /** Takes over the tasks of all dead workers. */
  async sweep(): Promise<void> {
    const { store, heartbeat } = this.#host;
    for (const worker of ['', ...(await store.workers.all())]) {
      if (!heartbeat.owns(worker)) await this.#takeOverWorker(worker);
    }
  }

  /** Reconciles tasks that are assigned to this instance and do not run here. */
  async reconcileOwn(): Promise<void> {
    const { store, heartbeat } = this.#host;
    for (const id of await store.workers.tasksOf(heartbeat.workerId)) await this.#reconcile(id);
  }

  /** Takes over a task of a dead worker; empty: a released task. */
  takeOver(id: string, from: string): Promise<void> {
    return this.#singleFlight(`task ${id}`, () => this.#takeOverTask(id, from));
  }

  /** Resolves when no takeover is in progress. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  /** Takes over the tasks of a worker, and one known task of it, if the worker is dead. */
  #takeOverWorker(worker: string, known?: string): Promise<void> {
    return this.#singleFlight(`instance ${worker}`, () => this.#takeOverAll(worker, known));
  }

  #reconcileIfMissing(id: string): void {
    if (!this.#host.tasks.has(id)) this.#host.runInBackground(() => this.#reconcile(id));
  }

  #reconcile(id: string): Promise<void> {
    return this.#singleFlight(`task ${id}`, () => this.#reconcileTask(id));
  }

  /**
   * A frozen store may complete operations that timed out: it may have created a task whose caller got an error, or
   * assigned one without this instance knowing.
   */
  async #reconcileTask(id: string): Promise<void> {
    const { store, heartbeat } = this.#host;
    if (this.#host.tasks.has(id)) return;
    const record = await store.read(id);
    if (this.#host.tasks.has(id)) return;
    if (record === undefined || isFinal(record.status) || !heartbeat.owns(record.worker)) {
      await store.workers.unassign(id, heartbeat.workerId);
    } else if (record.version === firstVersion) {
      await store.discard(record);
    } else {
      await this.#takeOverTask(id, record.worker);
    }
  }

  /** Deduplicates concurrent work with the same key. */
  #singleFlight(what: string, work: () => Promise<void>): Promise<void> {
    const working = this.#running.get(what) ?? work().finally(() => this.#running.delete(what));
    this.#running.set(what, working);
    return working;
  }

  /** One of all instances that try gets the lease of a dead worker. */
  async #takeOverAll(worker: string, known: string | undefined): Promise<void> {
    const { store, heartbeat, service, isClosed } = this.#host;
    if (isClosed || service === undefined) return;
    const ids = worker === '' ? await store.workers.tasksOf('') : undefined;
    if (ids?.size === 0 && known === undefined) return;
    const holder = heartbeat.workerId;
    if (!(await store.workers.acquireLease(worker, holder, heartbeat.leaseMs))) return;
    let isDone = false;
    try {
      const all = new Set(ids ?? (await store.workers.tasksOf(worker)));
      if (known !== undefined) all.add(known);
      for (const id of all) if (!this.#host.isClosed) await this.takeOver(id, worker);
      isDone = !this.#host.isClosed;
    } finally {
      if (isDone && worker !== '') await store.workers.remove(worker);
      else await store.workers.releaseLease(worker, holder);
    }
  }

  async #takeOverTask(id: string, from: string): Promise<void> {
    const { store, heartbeat, service } = this.#host;
    if (this.#host.tasks.has(id) || service === undefined) return;
    await this.#host.register();
    const worker = heartbeat.workerId;
    await store.workers.assign(id, worker);
    const { record: taken, isChanged } = await store.tryUpdate(id, (record) =>
      record.worker === from ? takeoverChanges(record, worker) : undefined,
    );
    if (from === '') await store.workers.unassign(id, '');
    const isMine = isChanged && taken?.worker === worker;
    if (isMine && (await this.#host.resume(taken, service))) return;
    await store.workers.unassign(id, worker);
    if (isChanged && taken !== undefined) await store.publish(taken);
  }
}

/** The changes of a task whose worker is dead. */
function takeoverChanges(record: TaskRecord, worker: string): TaskChanges {
  if (record.cancelling) return toCancelled();
  if (hasExpired(record)) return toExpired(record);
  const { runsAgain, attempts } = record;
  if (!runsAgain) return toInterrupted();
  // It was released in order, so this is not counted as an attempt.
  if (record.worker === '') return { worker };
  return attempts < maxAttempts ? { worker, attempts: attempts + 1 } : toTooManyAttempts(attempts);
}

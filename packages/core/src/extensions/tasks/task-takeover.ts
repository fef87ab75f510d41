import { limits } from '../../limits.ts';
import type { Service } from '../../server/aside.ts';
import type { Presence } from './heartbeat.ts';
import { isFinal } from './protocol.ts';
import { firstVersion, type TaskChanges, type TaskRecord } from './task-record.ts';
import { cancelled, expired, givenUp, hasExpired, interrupted } from './task-transitions.ts';
import type { TaskStore } from './task-store.ts';

/** Where tasks are taken to. */
export interface Taker {
  readonly store: TaskStore;
  readonly presence: Presence;
  readonly leaseMs: number;
  /** How often it is looked after the tasks of others. */
  readonly beatMs: number;
  /** Does the work of tasks again; undefined: nobody here can. */
  readonly service: Service | undefined;
  readonly isClosed: boolean;
  /** Lets others know of this instance. */
  enlist(): Promise<void>;
  /** True for a task that is worked on here, or is about to be. */
  has(id: string): boolean;
  /** Does the work of a task again; false where it is over. */
  resume(task: TaskRecord, service: Service): Promise<boolean>;
  /** Does something about which nobody waits. */
  attempt(work: () => Promise<unknown>): void;
}

/** So many instances that may be gone are remembered. */
const maxSuspected = 3 * limits.tasks.listened.value;

/** Takes the tasks of instances that are gone, and has them done again where that is allowed. */
export class AbandonedTasks {
  readonly #taker: Taker;
  readonly #suspected = new Map<string, number>();
  /** The tasks that are being taken, and the instances from which. */
  readonly #taking = new Map<string, Promise<void>>();

  constructor(taker: Taker) {
    this.#taker = taker;
  }

  /** Somebody asks for a task: where the instance that works on it is gone, its tasks are taken. */
  suspect({ id, worker, status }: TaskRecord): void {
    const { presence, beatMs } = this.#taker;
    if (isFinal(status)) return;
    if (presence.owns(worker)) return this.#doubt(id);
    const now = performance.now();
    if ((this.#suspected.get(worker) ?? Number.NEGATIVE_INFINITY) + beatMs > now) return;
    if (this.#suspected.size > maxSuspected) this.#suspected.clear();
    this.#suspected.set(worker, now);
    this.#taker.attempt(() => this.#takeFrom(worker, id));
  }

  /** Takes the tasks of all instances that are gone. */
  async sweep(): Promise<void> {
    const { store, presence } = this.#taker;
    for (const worker of ['', ...(await store.workers())]) {
      if (!presence.owns(worker)) await this.#takeFrom(worker);
    }
  }

  /** Looks after tasks that are said to be worked on here, and are not. */
  async own(): Promise<void> {
    const { store, presence } = this.#taker;
    for (const id of await store.assigned(presence.name)) await this.#settle(id);
  }

  /** Takes a task of an instance that is gone; empty: one that nobody works on. */
  take(id: string, from: string): Promise<void> {
    return this.#onceAtATime(`task ${id}`, () => this.#takeOne(id, from));
  }

  /** Resolved when nothing is being taken any more. */
  async settled(): Promise<void> {
    while (this.#taking.size > 0) await Promise.allSettled(this.#taking.values());
  }

  /** Takes the tasks of an instance, and one that is known to be its, if it is gone. */
  #takeFrom(worker: string, known?: string): Promise<void> {
    return this.#onceAtATime(`instance ${worker}`, () => this.#takeAll(worker, known));
  }

  #doubt(id: string): void {
    if (!this.#taker.has(id)) this.#taker.attempt(() => this.#settle(id));
  }

  #settle(id: string): Promise<void> {
    return this.#onceAtATime(`task ${id}`, () => this.#settleOwn(id));
  }

  /**
   * A store that was frozen does later what nobody waits for any more: it may have made a task whose caller was refused, or
   * given one to this instance that did not hear of it.
   */
  async #settleOwn(id: string): Promise<void> {
    const { store, presence } = this.#taker;
    if (this.#taker.has(id)) return;
    const record = await store.read(id);
    if (this.#taker.has(id)) return;
    if (record === undefined || isFinal(record.status) || !presence.owns(record.worker)) {
      await store.unassign(id, presence.name);
    } else if (record.version === firstVersion) {
      await store.discard(record);
    } else {
      await this.#takeOne(id, record.worker);
    }
  }

  /** Several reasons to do the same come at the same time: it is done once. */
  #onceAtATime(what: string, work: () => Promise<void>): Promise<void> {
    const working = this.#taking.get(what) ?? work().finally(() => this.#taking.delete(what));
    this.#taking.set(what, working);
    return working;
  }

  /** The lease of an instance that is gone is to be had, by one of all who try. */
  async #takeAll(worker: string, known: string | undefined): Promise<void> {
    const { store, presence, leaseMs, service, isClosed } = this.#taker;
    if (isClosed || service === undefined) return;
    const ids = worker === '' ? await store.assigned('') : undefined;
    if (ids?.size === 0 && known === undefined) return;
    const holder = presence.name;
    if (!(await store.hold(worker, holder, leaseMs))) return;
    let isDone = false;
    try {
      const all = new Set(ids ?? (await store.assigned(worker)));
      if (known !== undefined) all.add(known);
      for (const id of all) if (!this.#taker.isClosed) await this.take(id, worker);
      isDone = !this.#taker.isClosed;
    } finally {
      if (isDone && worker !== '') await store.dismiss(worker);
      else await store.release(worker, holder);
    }
  }

  async #takeOne(id: string, from: string): Promise<void> {
    const { store, presence, service } = this.#taker;
    if (this.#taker.has(id) || service === undefined) return;
    await this.#taker.enlist();
    const worker = presence.name;
    await store.assign(id, worker);
    const { record: taken, isChanged } = await store.attempt(id, (record) =>
      record.worker === from ? next(record, worker) : undefined,
    );
    if (from === '') await store.unassign(id, '');
    const isMine = isChanged && taken?.worker === worker;
    if (isMine && (await this.#taker.resume(taken, service))) return;
    await store.unassign(id, worker);
    if (isChanged && taken !== undefined) await store.tell(taken);
  }
}

/** What becomes of a task whose instance is gone. */
function next(record: TaskRecord, worker: string): TaskChanges {
  if (record.cancelling) return cancelled();
  if (hasExpired(record)) return expired(record);
  const { runsAgain, attempts } = record;
  if (!runsAgain) return interrupted();
  // It was let go of in order: that is nothing that the task can have done.
  if (record.worker === '') return { worker };
  return attempts < limits.tasks.attempts.value ? { worker, attempts: attempts + 1 } : givenUp(attempts);
}

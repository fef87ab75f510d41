import { retryLater, retryMs } from '../../server/retry-later.ts';
import type { Life, Room, Store } from '../../stores/store.ts';
import { isFinal } from './protocol.ts';
import { changedFields, fromFields, type TaskChanges, type TaskRecord, toFields } from './task-record.ts';
import { expiryOf, remainingLifetime, creationTimeOf } from './task-id.ts';
import { addToList, listLife, removeFromList } from './task-lists.ts';
import { WorkerRegistry } from './worker-registry.ts';

/** One caller may use this fraction of the total size: a quarter. */
const shares = 4;

/** Limits on the number and size of tasks. */
export interface TaskLimits {
  readonly perCaller: number;
  readonly inAll: number;
  /** The total size of all tasks, in characters. */
  readonly kept: number;
}

/** How often a conflicting update is retried. */
const maxAttempts = 50;

/**
 * The tasks of a server in a store. Each task is a record; lists name them: one of all tasks and one for each caller,
 * which limit their number, and one for each worker (`WorkerRegistry`). One topic publishes changes.
 */
export class TaskStore {
  readonly topic: string;
  readonly workers: WorkerRegistry;
  readonly #store: Store;
  readonly #name: string;
  readonly #limits: TaskLimits;
  readonly #space: Room;

  constructor(store: Store, server: string, taskLimits: TaskLimits) {
    this.#store = store;
    this.#name = `tasks/${server}`;
    this.#limits = taskLimits;
    this.#space = { length: taskLimits.kept, ownerLength: taskLimits.kept / shares };
    this.topic = this.#name;
    this.workers = new WorkerRegistry(store, this.#name);
  }

  /**
   * Stores a new task. Throws if there are too many. Calls `onUnknownWorker` first if the store does not know the
   * worker, for example because it was emptied: otherwise others would take over at once.
   */
  async create(record: TaskRecord, onUnknownWorker: () => Promise<void>): Promise<void> {
    const { id, countedAs, worker } = record;
    const lists = [this.#allKey, this.#callerKey(countedAs)] as const;
    const [inAll, ofCaller, isKnown] = await Promise.all([
      addToList(this.#store, lists[0], id, this.#limits.inAll),
      addToList(this.#store, lists[1], id, this.#limits.perCaller),
      this.workers.assign(id, worker),
    ]);
    if (!isKnown) await onUnknownWorker();
    const isMade =
      inAll && ofCaller && (await this.#store.create(this.#key(id), toFields(record), this.#life(record))) !== 'full';
    if (isMade) return;
    await Promise.all([
      ...(inAll ? [removeFromList(this.#store, lists[0], id)] : []),
      ...(ofCaller ? [removeFromList(this.#store, lists[1], id)] : []),
      this.workers.unassign(id, worker),
    ]);
    if (inAll && ofCaller) throw outOfSpace();
    throw ofCaller ? tooManyTasks(this.#limits.inAll, 'server') : tooManyTasks(this.#limits.perCaller, 'caller');
  }

  /** Removes a task whose id was never sent. */
  async discard(record: TaskRecord): Promise<void> {
    const { id, countedAs, worker } = record;
    await Promise.all([
      this.#store.remove(this.#key(id)),
      removeFromList(this.#store, this.#allKey, id),
      removeFromList(this.#store, this.#callerKey(countedAs), id),
      this.workers.unassign(id, worker),
    ]);
  }

  /** Reads a task; undefined if there is none. */
  async read(id: string): Promise<TaskRecord | undefined> {
    const left = remainingLifetime(id, Date.now());
    if (left <= 0) return undefined;
    const fields = await this.#store.read(this.#key(id), this.#lifeFor(left));
    return fields === undefined ? undefined : fromFields(id, fields);
  }

  /**
   * Updates a task with optimistic locking; `known` saves a read if it is current. `change` returns undefined if there
   * is nothing to change. Returns the task afterwards; undefined if there is none.
   */
  async update(
    id: string,
    change: (record: TaskRecord) => TaskChanges | undefined,
    known?: TaskRecord,
  ): Promise<TaskRecord | undefined> {
    return (await this.tryUpdate(id, change, known)).record;
  }

  /** Like `update`, and says whether this call changed it. */
  async tryUpdate(
    id: string,
    change: (record: TaskRecord) => TaskChanges | undefined,
    known?: TaskRecord,
  ): Promise<{ record: TaskRecord | undefined; isChanged: boolean }> {
    let record = known ?? (await this.read(id));
    for (let tried = 0; tried < maxAttempts; tried++) {
      const wanted = record === undefined || isFinal(record.status) ? undefined : change(record);
      if (record === undefined || wanted === undefined) return { record, isChanged: false };
      const changes = { updatedAt: Math.max(Date.now(), record.updatedAt), ...wanted };
      const next = { ...record, ...changes, version: record.version + 1 };
      const isDone = await this.#store.updateIf(
        this.#key(id),
        { version: String(record.version) },
        { ...changedFields(changes), version: String(next.version) },
        this.#life(next),
      );
      if (isDone === true) return { record: next, isChanged: true };
      record = isDone === false ? undefined : await this.read(id);
    }
    throw retryLater('Too many concurrent updates of this task: try again', retryHint('server'));
  }

  /** Notifies all instances of a change. */
  async publish({ id, version }: TaskRecord, isFree = false): Promise<void> {
    await this.#store.publish(this.topic, `${id} ${version}${isFree ? ' free' : ''}`);
  }

  /** Subscribes to changes. `onGap` is called when events may have been missed. */
  async subscribe(onEvent: (event: TaskEvent) => void, onGap: () => void): Promise<() => void> {
    return await this.#store.subscribe(
      this.topic,
      (message) => {
        const [id = '', version, free] = message.split(' ');
        onEvent({ id, version: Number(version), isFree: free !== undefined });
      },
      onGap,
    );
  }

  /** The task ids counted under a key, newest last. */
  async taskIdsOf(countedAs: string): Promise<string[]> {
    const now = Date.now();
    const ids = await this.#store.members(this.#callerKey(countedAs));
    return Array.from(ids, (id) => ({ id, start: creationTimeOf(id), end: expiryOf(id) }))
      .filter(({ end }) => end > now)
      .sort((one, other) => one.start - other.start)
      .map(({ id }) => id);
  }

  /** Extends the lifetime of the lists that name a worker and all tasks. */
  async refreshLists(worker: string): Promise<void> {
    await Promise.all([this.workers.refresh(worker), this.#store.read(this.#allKey, listLife)]);
  }

  #life({ id, countedAs }: TaskRecord): Life {
    const life = this.#lifeFor(Math.max(remainingLifetime(id, Date.now()), 1));
    life.owner = countedAs;
    return life;
  }

  #lifeFor(ttlMs: number): Life {
    return { ttlMs, kind: 'task', limit: 2 * this.#limits.inAll, room: this.#space };
  }

  #key(id: string): string {
    return [this.#name, 'task', id].join('/');
  }

  get #allKey(): string {
    return `${this.#name}/all`;
  }

  #callerKey(countedAs: string): string {
    return `${this.#name}/of/${countedAs}`;
  }
}

/** A change of a task. */
export interface TaskEvent {
  readonly id: string;
  readonly version: number;
  /** True if the task was released: any instance may take it. */
  readonly isFree: boolean;
}

function retryHint(limit: 'caller' | 'server'): { retryAfterMs: number; limit: 'caller' | 'server' } {
  return { retryAfterMs: retryMs, limit };
}

function outOfSpace(): Error {
  return retryLater(
    'No room for another task: stored tasks are too large; try again when some have expired',
    retryHint('server'),
  );
}

function tooManyTasks(max: number, limit: 'caller' | 'server'): Error {
  const whose = limit === 'caller' ? 'you have' : 'this server has';
  return retryLater(
    `Too many tasks: ${whose} ${max}, and there may be no more; try again when some have expired`,
    retryHint(limit),
  );
}

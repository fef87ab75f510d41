import { limits } from '../../limits.ts';
import { later } from '../../server/quotas/overload.ts';
import type { Life, MemberChanges, Room, Store } from '../../stores/store.ts';
import { isFinal } from './protocol.ts';
import { changedFields, fromFields, type TaskChanges, type TaskRecord, toFields } from './task-record.ts';
import { expiryOf, remainingLifetime, creationTimeOf } from './task-id.ts';

/** Limits on the number and size of tasks. */
export interface TaskLimits {
  readonly perCaller: number;
  readonly inAll: number;
  /** Characters of all tasks together. */
  readonly kept: number;
}

/** How often a conflicting update is retried. */
const maxAttempts = 50;
/** Lists outlive the tasks on them. */
const listTtlMs = 2 * limits.tasks.maxTtlMs.value;
const nobody = 'nobody';

/**
 * The tasks of a server in a store. Each task is a record; lists name them: one of all tasks and one for each caller,
 * which limit their number, and one for each worker. One topic publishes changes.
 */
export class TaskStore {
  readonly topic: string;
  readonly #store: Store;
  readonly #name: string;
  readonly #limits: TaskLimits;
  readonly #space: Room;

  constructor(store: Store, server: string, taskLimits: TaskLimits) {
    this.#store = store;
    this.#name = `tasks/${server}`;
    this.#limits = taskLimits;
    this.#space = { length: taskLimits.kept, ownerLength: taskLimits.kept / limits.tasks.shares.value };
    this.topic = this.#name;
  }

  /**
   * Stores a new task. Throws if there are too many. Calls `onUnknownWorker` first if the store does not know the
   * worker, for example because it was emptied: otherwise others would take over at once.
   */
  async create(record: TaskRecord, onUnknownWorker: () => Promise<void>): Promise<void> {
    const { id, countedAs, worker } = record;
    const lists = [this.#allKey, this.#callerKey(countedAs)] as const;
    const [inAll, ofCaller, isKnown] = await Promise.all([
      this.#addToList(lists[0], id, this.#limits.inAll),
      this.#addToList(lists[1], id, this.#limits.perCaller),
      this.assign(id, worker),
    ]);
    if (!isKnown) await onUnknownWorker();
    const isMade =
      inAll && ofCaller && (await this.#store.create(this.#key(id), toFields(record), this.#life(record))) !== 'full';
    if (isMade) return;
    await Promise.all([
      ...(inAll ? [this.#removeFromList(lists[0], id)] : []),
      ...(ofCaller ? [this.#removeFromList(lists[1], id)] : []),
      this.unassign(id, worker),
    ]);
    if (inAll && ofCaller) throw outOfSpace();
    throw ofCaller ? tooMany(this.#limits.inAll, 'server') : tooMany(this.#limits.perCaller, 'caller');
  }

  /** Removes a task that nobody has seen. */
  async discard(record: TaskRecord): Promise<void> {
    const { id, countedAs, worker } = record;
    await Promise.all([
      this.#store.remove(this.#key(id)),
      this.#removeFromList(this.#allKey, id),
      this.#removeFromList(this.#callerKey(countedAs), id),
      this.unassign(id, worker),
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
    throw later('Too many concurrent updates of this task: try again', retryHint('server'));
  }

  /** Notifies all instances of a change. */
  async publish({ id, version }: TaskRecord, isFree = false): Promise<void> {
    await this.#store.publish(this.topic, `${id} ${version}${isFree ? ' free' : ''}`);
  }

  /** Subscribes to changes. `onGap` is called when events may have been missed. */
  async subscribe(onEvent: (news: TaskEvent) => void, onGap: () => void): Promise<() => void> {
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

  /** Puts a task on the list of a worker; empty: of released tasks. False if the list was new. */
  async assign(id: string, worker: string): Promise<boolean> {
    return (await this.#alterList(this.#workerKey(worker), { add: [id], remove: [] })) !== 'new';
  }

  async unassign(id: string, worker: string): Promise<void> {
    await this.#removeFromList(this.#workerKey(worker), id);
  }

  /** The tasks of a worker. */
  async assigned(worker: string): Promise<ReadonlySet<string>> {
    return await this.#store.members(this.#workerKey(worker));
  }

  /** The registered workers. */
  async workers(): Promise<ReadonlySet<string>> {
    return await this.#store.members(`${this.#name}/workers`);
  }

  /** Registers a worker. */
  async registerWorker(worker: string): Promise<void> {
    await this.#addToList(`${this.#name}/workers`, worker, Number.POSITIVE_INFINITY);
  }

  /** Extends the lifetime of the lists that name a worker and its tasks. */
  async refreshLists(worker: string): Promise<void> {
    const keys = [`${this.#name}/workers`, this.#workerKey(worker), this.#allKey];
    await Promise.all(keys.map(async (key) => this.#store.read(key, listLife)));
  }

  /** Removes a worker whose tasks were taken over. */
  async removeWorker(worker: string): Promise<void> {
    await Promise.all([
      this.#removeFromList(`${this.#name}/workers`, worker),
      this.#store.remove(this.#workerKey(worker)),
      this.#store.remove(this.#aliveKey(worker)),
    ]);
  }

  /** Acquires or renews the lease of a worker. False if another holder has it. */
  async acquireLease(worker: string, holder: string, leaseMs: number): Promise<boolean> {
    return await this.#store.lease(this.#aliveKey(worker), holder, { ...listLife, ttlMs: leaseMs });
  }

  async releaseLease(worker: string, holder: string): Promise<void> {
    await this.#store.release(this.#aliveKey(worker), holder);
  }

  /** True for one instance in each period: that one sweeps dead workers. */
  async claimSweep(periodMs: number): Promise<boolean> {
    return await this.#store.claim(`${this.#name}/turn`, { ...listLife, ttlMs: periodMs });
  }

  #life({ id, countedAs }: TaskRecord): Life {
    const life = this.#lifeFor(Math.max(remainingLifetime(id, Date.now()), 1));
    life.owner = countedAs;
    return life;
  }

  #lifeFor(ttlMs: number): Life {
    return { ttlMs, kind: 'task', limit: 2 * this.#limits.inAll, room: this.#space };
  }

  /** Adds to a list with a maximum size. False if it is full. */
  async #addToList(key: string, entry: string, max: number): Promise<boolean> {
    const add = { add: [entry], remove: [], ...(Number.isFinite(max) && { max: { count: max, length: max * 200 } }) };
    if ((await this.#alterList(key, add)) !== 'full') return true;
    const now = Date.now();
    const expired = [...(await this.#store.members(key))].filter((each) => expiryOf(each) <= now);
    return expired.length > 0 && (await this.#store.alter(key, { ...add, remove: expired })) === true;
  }

  /** Changes a list, and creates it if needed. */
  async #alterList(key: string, change: MemberChanges): Promise<'changed' | 'new' | 'full'> {
    const added = await this.#store.alter(key, change);
    if (added !== false) return added === 'full' ? added : 'changed';
    await this.#store.claim(key, listLife);
    return (await this.#store.alter(key, change)) === 'full' ? 'full' : 'new';
  }

  async #removeFromList(key: string, entry: string): Promise<void> {
    await this.#store.alter(key, { add: [], remove: [entry] });
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

  #workerKey(worker: string): string {
    return `${this.#name}/by/${worker || nobody}`;
  }

  #aliveKey(worker: string): string {
    return `${this.#name}/alive/${worker || nobody}`;
  }
}

/** A change of a task. */
export interface TaskEvent {
  readonly id: string;
  readonly version: number;
  /** True if the task was released: any instance may take it. */
  readonly isFree: boolean;
}

const listLife: Life = { ttlMs: listTtlMs, kind: 'task-list', limit: 10 * limits.tasks.inAll.value, busyMs: listTtlMs };

function retryHint(limit: 'caller' | 'server'): { retryAfterMs: number; limit: 'caller' | 'server' } {
  return { retryAfterMs: limits.server.retryMs.value, limit };
}

function outOfSpace(): Error {
  return later(
    'No room for another task: stored tasks are too large; try again when some have expired',
    retryHint('server'),
  );
}

function tooMany(max: number, limit: 'caller' | 'server'): Error {
  const whose = limit === 'caller' ? 'you have' : 'this server has';
  return later(
    `Too many tasks: ${whose} ${max}, and there may be no more; try again when some have expired`,
    retryHint(limit),
  );
}

import { limits } from '../../limits.ts';
import { later } from '../../server/overload.ts';
import type { Life, MemberChanges, Room, Store } from '../../stores/store.ts';
import { isFinal } from './protocol.ts';
import { changedFields, fromFields, type TaskChanges, type TaskRecord, toFields } from './task-record.ts';
import { expiryOf, remainingLifetime, creationTimeOf } from './task-id.ts';

/** How many tasks there may be, and what they may hold. */
export interface TaskLimits {
  readonly perCaller: number;
  readonly inAll: number;
  /** How many characters all of them may hold. */
  readonly kept: number;
}

/** So often a change is tried anew that somebody else was quicker with. */
const maxAttempts = 50;
/** Lists of tasks live longer than what they list. */
const listTtlMs = 2 * limits.tasks.maxTtlMs.value;
const nobody = 'nobody';

/**
 * The tasks of a server in a store. Each is a record; three kinds of lists name them: one of all tasks and one for each
 * caller, which bound how many there are, and one for each instance, of those that it works on. What changes is told in one
 * topic.
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
   * Keeps a new task. Throws an error for its caller where there are too many. Before it is there, `unknown` is called where
   * the store does not know of its instance, as one that was emptied: others would take the task from one that is gone.
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

  /** Forgets a task that nobody has seen. */
  async discard(record: TaskRecord): Promise<void> {
    const { id, countedAs, worker } = record;
    await Promise.all([
      this.#store.remove(this.#key(id)),
      this.#removeFromList(this.#allKey, id),
      this.#removeFromList(this.#callerKey(countedAs), id),
      this.unassign(id, worker),
    ]);
  }

  /** A task, or undefined where there is none. */
  async read(id: string): Promise<TaskRecord | undefined> {
    const left = remainingLifetime(id, Date.now());
    if (left <= 0) return undefined;
    const fields = await this.#store.read(this.#key(id), this.#lifeFor(left));
    return fields === undefined ? undefined : fromFields(id, fields);
  }

  /**
   * Changes a task as it is now; `known` saves a look where nobody else has changed it. `change` gives undefined where there
   * is nothing to change. Gives the task as it is afterwards, or undefined where there is none.
   */
  async update(
    id: string,
    change: (record: TaskRecord) => TaskChanges | undefined,
    known?: TaskRecord,
  ): Promise<TaskRecord | undefined> {
    return (await this.tryUpdate(id, change, known)).record;
  }

  /** As `change`, and says whether it was changed here. */
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
    throw later('This task is being changed by too many at once: try again', retryHint('server'));
  }

  /** Tells all instances that a task is another now. */
  async publish({ id, version }: TaskRecord, isFree = false): Promise<void> {
    await this.#store.publish(this.topic, `${id} ${version}${isFree ? ' free' : ''}`);
  }

  /** Hears of every change, and where some may have been missed. */
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

  /** The ids of the tasks of those who are counted together, newest last. */
  async taskIdsOf(countedAs: string): Promise<string[]> {
    const now = Date.now();
    const ids = await this.#store.members(this.#callerKey(countedAs));
    return Array.from(ids, (id) => ({ id, start: creationTimeOf(id), end: expiryOf(id) }))
      .filter(({ end }) => end > now)
      .sort((one, other) => one.start - other.start)
      .map(({ id }) => id);
  }

  /** Puts a task on the list of an instance; empty: of those that nobody works on. False where there was no such list yet. */
  async assign(id: string, worker: string): Promise<boolean> {
    return (await this.#alterList(this.#workerKey(worker), { add: [id], remove: [] })) !== 'new';
  }

  async unassign(id: string, worker: string): Promise<void> {
    await this.#removeFromList(this.#workerKey(worker), id);
  }

  /** The tasks that an instance works on. */
  async assigned(worker: string): Promise<ReadonlySet<string>> {
    return await this.#store.members(this.#workerKey(worker));
  }

  /** The instances that have worked on tasks. */
  async workers(): Promise<ReadonlySet<string>> {
    return await this.#store.members(`${this.#name}/workers`);
  }

  /** Lets others know of an instance that works on tasks. */
  async registerWorker(worker: string): Promise<void> {
    await this.#addToList(`${this.#name}/workers`, worker, Number.POSITIVE_INFINITY);
  }

  /** Keeps the lists that name an instance, and its tasks, from expiring. */
  async refreshLists(worker: string): Promise<void> {
    const keys = [`${this.#name}/workers`, this.#workerKey(worker), this.#allKey];
    await Promise.all(keys.map(async (key) => this.#store.read(key, listLife)));
  }

  /** Forgets an instance, whose tasks others have. */
  async removeWorker(worker: string): Promise<void> {
    await Promise.all([
      this.#removeFromList(`${this.#name}/workers`, worker),
      this.#store.remove(this.#workerKey(worker)),
      this.#store.remove(this.#aliveKey(worker)),
    ]);
  }

  /** Says that an instance is alive, or takes the place of one that is not. False where another holds that. */
  async acquireLease(worker: string, holder: string, leaseMs: number): Promise<boolean> {
    return await this.#store.lease(this.#aliveKey(worker), holder, { ...listLife, ttlMs: leaseMs });
  }

  async releaseLease(worker: string, holder: string): Promise<void> {
    await this.#store.release(this.#aliveKey(worker), holder);
  }

  /** True for one instance in each period: that one looks after tasks whose instances are gone. */
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

  /** Adds to a list that holds no more than so many. False where it is full. */
  async #addToList(key: string, entry: string, max: number): Promise<boolean> {
    const add = { add: [entry], remove: [], ...(Number.isFinite(max) && { max: { count: max, length: max * 200 } }) };
    if ((await this.#alterList(key, add)) !== 'full') return true;
    const now = Date.now();
    const expired = [...(await this.#store.members(key))].filter((each) => expiryOf(each) <= now);
    return expired.length > 0 && (await this.#store.alter(key, { ...add, remove: expired })) === true;
  }

  /** Changes a list, which is made where there is none. */
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

/** What is heard of a task. */
export interface TaskEvent {
  readonly id: string;
  readonly version: number;
  /** Nobody works on it any more: whoever hears that may. */
  readonly isFree: boolean;
}

const listLife: Life = { ttlMs: listTtlMs, kind: 'task-list', limit: 10 * limits.tasks.inAll.value, busyMs: listTtlMs };

function retryHint(limit: 'caller' | 'server'): { retryAfterMs: number; limit: 'caller' | 'server' } {
  return { retryAfterMs: limits.server.retryMs.value, limit };
}

function outOfSpace(): Error {
  return later(
    'No room for another task: what tasks hold is too long by now; try again when some have expired',
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

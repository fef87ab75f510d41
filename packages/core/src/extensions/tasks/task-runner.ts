import { limits } from '../../limits.ts';
import { letEnd } from '../../runtime/timers.ts';
import type { EndOfService, Service } from '../../server/aside.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Operation } from '../../server/operation.ts';
import { later } from '../../server/overload.ts';
import type { Result } from '../../protocol/results.ts';
import { ErrorCode, invalidParams } from '../../jsonrpc/errors.ts';
import { freshTask } from './task-record.ts';
import { AbandonedTasks, type Taker } from './task-takeover.ts';
import { Presence } from './heartbeat.ts';
import { tasksId } from './protocol.ts';
import { callOf, type MadeTask, newTask, type PlannedTask, type TaskChanges, type TaskRecord } from './task-record.ts';
import { type RunHome, TaskRun } from './task-run.ts';
import { newTaskId } from './task-id.ts';
import type { TaskNews, TaskStore } from './task-store.ts';

/** How tasks are worked on. */
export interface WorkshopOptions {
  readonly maxRunning: number;
  readonly maxResult: number;
  readonly leaseMs: number;
  reportError(message: string, error: unknown): void;
}

/** Makes the answer to a call of the task that it became. */
type ToHandle = (record: TaskRecord) => Awaitable<Result>;

/** How often an instance says that it is alive, and looks after others, within the time of its lease. */
const beatsPerLease = 3;
/**
 * Where one instance works on tasks. It says at intervals that it is alive; the tasks of one that says nothing for too long
 * go to another, which does them again where that is allowed.
 */
export class Workshop implements RunHome, Taker {
  readonly store: TaskStore;
  readonly presence: Presence;
  readonly maxResult: number;
  readonly leaseMs: number;
  readonly #options: WorkshopOptions;
  readonly #runs = new Map<string, TaskRun>();
  readonly #listeners = new Map<string, Set<() => void>>();
  /** The sessions whose clients are asked the questions of a task as soon as they come up, by the task. */
  readonly standing: Map<string, string> = new Map();
  readonly #abandoned = new AbandonedTasks(this);
  #listening: Promise<() => void> | undefined;
  #beat: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #keeping: Promise<void> | undefined;
  /** After so many lapses of its presence it has kept what others left of its tasks. */
  #seenLapses = 0;
  /** Tasks that were made while there was such a lapse. */
  readonly #unsure = new WeakSet<TaskRun>();
  #looked = performance.now();
  /** The tasks that are being made. */
  readonly #beginning = new Set<string>();
  /** True where it is not known whether the store did what it was asked for. */
  #doubtful = false;
  /** The servers that have these tasks, while transports serve them. */
  readonly #services = new Set<Service>();
  /** Called when a task is over here. */
  readonly #ended = new Set<() => void>();
  /** True where other instances may work on the same tasks. */
  #shared = false;
  #closed = false;

  constructor(store: TaskStore, options: WorkshopOptions) {
    this.store = store;
    this.presence = new Presence(store, options.leaseMs);
    this.maxResult = options.maxResult;
    this.leaseMs = options.leaseMs;
    this.#options = options;
  }

  /** How many tasks are worked on here. */
  get running(): number {
    return this.#runs.size;
  }

  /** Does the work of tasks again that others began; undefined: nobody here can. */
  get service(): Service | undefined {
    return [...this.#services].at(-1);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get beatMs(): number {
    return this.leaseMs / beatsPerLease;
  }

  /** Begins to look after tasks of instances that are gone. */
  open(service: Service): void {
    this.#services.add(service);
    this.#closed = false;
    this.#shared ||= service.shared;
    if (!this.#shared) return;
    this.#keepBeating();
    this.ready().catch((error: unknown) => this.reportError('Changes of tasks are not heard of', error));
  }

  /** Resolved when no change elsewhere is missed any more. */
  async ready(): Promise<void> {
    this.#listening ??= this.store.listen(
      (news) => this.#hear(news),
      () => this.#lookAgain(),
    );
    try {
      await this.#listening;
    } catch (error) {
      this.#listening = undefined;
      throw error;
    }
  }

  /** Makes a task of a call, and answers the call with it. What the handler does after that belongs to the task. */
  async begin(operation: Operation, plan: PlannedTask, toHandle: ToHandle): Promise<TaskRun> {
    const { maxRunning } = this.#options;
    const hint = { retryAfterMs: limits.server.retryMs.value, limit: 'server' } as const;
    if (this.#closed) throw later('The server is shutting down: try again', hint);
    if (this.#runs.size + this.#beginning.size >= maxRunning) {
      throw later(`Server busy: ${maxRunning} tasks are worked on; try again when some are done`, hint);
    }
    const call = JSON.stringify(operation.keep());
    if (call.length > limits.tasks.arguments.value) {
      throw invalidParams(
        `The arguments are too long for a task: more than ${limits.tasks.arguments.value} characters`,
      );
    }
    const made: MadeTask = { ...plan, createdAt: Date.now() };
    const id = newTaskId(made.createdAt, made.ttlMs, made.principal);
    this.#beginning.add(id);
    try {
      await Promise.all([this.ready(), this.enlist()]);
      const { lapses, name: worker } = this.presence;
      const record = newTask(id, made, { worker, call });
      await this.store.create(record, () => this.presence.enter());
      // What is to be done is known here: only another instance has to read it.
      const run = new TaskRun(id, freshTask(record), this);
      if (lapses !== this.presence.lapses) this.#unsure.add(run);
      await this.#start(operation, run, record, toHandle);
      return run;
    } catch (error) {
      this.#doubtful = true;
      throw error;
    } finally {
      this.#beginning.delete(id);
      this.#tellEnded();
    }
  }

  async #start(operation: Operation, run: TaskRun, record: TaskRecord, toHandle: ToHandle): Promise<void> {
    this.#runs.set(record.id, run);
    try {
      run.attach(await operation.answerNow(await toHandle(record), run, tasksId));
    } catch (error) {
      // Nobody got the handle.
      this.#runs.delete(record.id);
      await this.store.discard(record);
      throw error;
    }
  }

  owns(worker: string): boolean {
    return this.presence.owns(worker);
  }

  has(id: string): boolean {
    return this.#runs.has(id) || this.#beginning.has(id);
  }

  ended(run: TaskRun): void {
    const { id } = run;
    if (this.#runs.get(id) !== run) return;
    this.#runs.delete(id);
    const leaving = this.store.unassign(id, this.presence.name);
    leaving.catch((error: unknown) => this.reportError('The list of tasks is out of date', error));
    this.#tellEnded();
  }

  reportError(message: string, error: unknown): void {
    this.#options.reportError(message, error);
  }

  /** Tells of every change of a task, until the function given back is called. */
  watch(id: string, tell: () => void): () => void {
    const watching = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, watching);
    watching.add(tell);
    return () => {
      watching.delete(tell);
      if (watching.size === 0 && this.#listeners.get(id) === watching) this.#listeners.delete(id);
    };
  }

  /** Somebody asks for a task: where the instance that works on it is gone, its tasks are taken. */
  suspect(record: TaskRecord): void {
    this.#abandoned.suspect(record);
  }

  /**
   * A server is served no more. Where it was the last, all tasks are let go of: those that may run again go to others, the rest
   * has failed. Where another has taken its place, that waits until its own tasks are done.
   */
  async close(service: Service, why: EndOfService): Promise<void> {
    this.#services.delete(service);
    if (why === 'replaced') while (this.#isFinishing) await this.#untilOneEnds();
    // Served in another way too.
    if (this.#closed || this.#services.size > 0) return;
    this.#closed = true;
    this.#tellEnded();
    clearInterval(this.#beat);
    this.#beat = undefined;
    // What is being made or taken is let go of with the rest.
    await this.#abandoned.settled();
    while (this.#beginning.size > 0) await this.#untilOneEnds();
    const doubts = await Promise.allSettled(this.#doubtful ? [this.#lookAtOwn()] : []);
    const left = await Promise.allSettled(Array.from(this.#runs.values(), (run) => run.handOver()));
    // What could not be handed over is found by those who look after an instance that is gone.
    await ([...doubts, ...left].some(({ status }) => status === 'rejected')
      ? this.presence.vanish()
      : this.presence.leave());
    const listening = this.#listening;
    this.#listening = undefined;
    (await listening?.catch(() => undefined))?.();
  }

  get #isFinishing(): boolean {
    return !this.#closed && this.#services.size === 0 && this.#runs.size + this.#beginning.size > 0;
  }

  #untilOneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#ended.add(resolve);
    });
  }

  #tellEnded(): void {
    for (const tell of this.#ended) tell();
    this.#ended.clear();
  }

  async enlist(): Promise<void> {
    await this.presence.enlist();
    this.#keepBeating();
  }

  #keepBeating(): void {
    this.#beat ??= letEnd(setInterval(() => this.attempt(() => this.#onBeat()), this.beatMs));
  }

  attempt(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      this.#doubtful = true;
      this.reportError('Tasks could not be looked after', error);
    });
  }

  async #onBeat(): Promise<void> {
    if (this.#closed) return;
    for (const run of this.#runs.values()) {
      if (run.hasExpired) run.expire();
      else run.save();
    }
    if (this.presence.isEnlisted) await this.#renew();
    if (!this.#shared) return;
    await this.ready();
    const now = performance.now();
    const isDue = now - this.#looked >= limits.tasks.lookMs.value;
    if (isDue) await this.#lookAtWaiting(now);
    if (isDue || this.#doubtful) await this.#lookAtOwn();
    if (this.service !== undefined && (await this.store.isTurn(this.beatMs / 2))) await this.#abandoned.sweep();
  }

  isCertain(run: TaskRun): boolean {
    return this.presence.isCertain && this.presence.lapses === this.#seenLapses && !this.#unsure.has(run);
  }

  async untilCertain(run: TaskRun): Promise<void> {
    while (!this.isCertain(run) && !run.isOver) {
      try {
        await this.#renew();
        await this.#keep(run);
        this.#unsure.delete(run);
      } catch (error) {
        this.reportError('A task waits until the store can be asked whose it is', error);
        await new Promise((resolve) => letEnd(setTimeout(resolve, this.beatMs)));
      }
    }
  }

  /** Says that this instance is alive. Where others may have thought otherwise, what they left of its tasks is kept. */
  async #renew(): Promise<void> {
    this.#renewing ??= this.presence.renew().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
    if (this.presence.lapses === this.#seenLapses) return;
    // However long that takes, the next beat says again that it is alive.
    this.#keeping ??= this.#keepAll().finally(() => {
      this.#keeping = undefined;
    });
    await this.#keeping;
  }

  async #keepAll(): Promise<void> {
    while (this.presence.lapses !== this.#seenLapses) {
      const { lapses } = this.presence;
      for (const run of Array.from(this.#runs.values())) await this.#keep(run);
      this.#seenLapses = lapses;
    }
  }

  /** Works on with a task under the name that this instance has now, unless somebody else has taken it. */
  async #keep(run: TaskRun): Promise<void> {
    const { id } = run;
    const worker = this.presence.name;
    await this.store.assign(id, worker);
    const change = (record: TaskRecord): TaskChanges | undefined =>
      this.owns(record.worker) && record.worker !== worker ? { worker } : undefined;
    const kept = await this.store.change(id, change);
    if (kept === undefined || !this.owns(kept.worker)) await this.store.unassign(id, worker);
    run.take(kept);
  }

  async #lookAtOwn(): Promise<void> {
    this.#doubtful = false;
    if (this.presence.isEnlisted) await this.#abandoned.own();
  }

  async #lookAtWaiting(now: number): Promise<void> {
    this.#looked = now;
    await this.#lookAt(Array.from(this.#runs.values()).filter((run) => run.isWaiting));
  }

  async #lookAt(runs: Iterable<TaskRun>): Promise<void> {
    for (const run of runs) await run.look();
  }

  /** Changes may have been missed: whatever was known is looked at again. */
  #lookAgain(): void {
    this.attempt(() => this.#lookAt(Array.from(this.#runs.values())));
    for (const id of this.#listeners.keys()) this.#tell(id);
  }

  #hear({ id, version, isFree }: TaskNews): void {
    const run = this.#runs.get(id);
    if (run !== undefined && run.version < version) this.attempt(() => run.look());
    this.#tell(id);
    if (isFree && run === undefined && !this.#closed) this.attempt(() => this.#abandoned.take(id, ''));
  }

  #tell(id: string): void {
    for (const tell of this.#listeners.get(id) ?? []) tell();
  }

  async resume(task: TaskRecord, service: Service): Promise<boolean> {
    const call = callOf(task);
    if (call === undefined) return false;
    const run = new TaskRun(task.id, { ...task, call: undefined }, this);
    this.#runs.set(task.id, run);
    try {
      run.attach(service.again(call, run));
    } catch (error) {
      this.reportError('A task can not be done again', error);
      run.end({ error: { code: ErrorCode.InternalError, message: 'The task can not be done again here' } });
    }
    await this.store.tell(task);
    // What came between is nothing that this instance was told.
    await run.look();
    return true;
  }
}

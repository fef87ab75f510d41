import { limits } from '../../limits.ts';
import { letEnd } from '../../runtime/timers.ts';
import type { EndOfService, Service } from '../../server/aside.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Operation } from '../../server/operation.ts';
import { later } from '../../server/overload.ts';
import type { Result } from '../../protocol/results.ts';
import { ErrorCode, invalidParams } from '../../jsonrpc/errors.ts';
import { toTemplate } from './task-record.ts';
import { TaskTakeover, type TakeoverHost } from './task-takeover.ts';
import { Heartbeat } from './heartbeat.ts';
import { tasksId } from './protocol.ts';
import {
  parseCall,
  type CreatedTask,
  createTaskRecord,
  type TaskPlan,
  type TaskChanges,
  type TaskRecord,
} from './task-record.ts';
import { type TaskRunHost, TaskRun } from './task-run.ts';
import { createTaskId } from './task-id.ts';
import type { TaskEvent, TaskStore } from './task-store.ts';

/** How tasks are worked on. */
export interface TaskRunnerOptions {
  readonly maxRunning: number;
  readonly maxResult: number;
  readonly leaseMs: number;
  reportError(message: string, error: unknown): void;
}

/** Makes the answer to a call of the task that it became. */
type CreateHandle = (record: TaskRecord) => Awaitable<Result>;

/** How often an instance says that it is alive, and looks after others, within the time of its lease. */
const heartbeatsPerLease = 3;
/**
 * Where one instance works on tasks. It says at intervals that it is alive; the tasks of one that says nothing for too long
 * go to another, which does them again where that is allowed.
 */
export class TaskRunner implements TaskRunHost, TakeoverHost {
  readonly store: TaskStore;
  readonly heartbeat: Heartbeat;
  readonly maxResult: number;
  readonly leaseMs: number;
  readonly #options: TaskRunnerOptions;
  readonly #runs = new Map<string, TaskRun>();
  readonly #watchers = new Map<string, Set<() => void>>();
  /** The sessions whose clients are asked the questions of a task as soon as they come up, by the task. */
  readonly questionSessions: Map<string, string> = new Map();
  readonly #takeover = new TaskTakeover(this);
  #subscription: Promise<() => void> | undefined;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #reclaiming: Promise<void> | undefined;
  /** After so many lapses of its presence it has kept what others left of its tasks. */
  #handledLapses = 0;
  /** Tasks that were made while there was such a lapse. */
  readonly #uncertainRuns = new WeakSet<TaskRun>();
  #checkedAt = performance.now();
  /** The tasks that are being made. */
  readonly #starting = new Set<string>();
  /** True where it is not known whether the store did what it was asked for. */
  #needsReconcile = false;
  /** The servers that have these tasks, while transports serve them. */
  readonly #services = new Set<Service>();
  /** Called when a task is over here. */
  readonly #endListeners = new Set<() => void>();
  /** True where other instances may work on the same tasks. */
  #shared = false;
  #closed = false;

  constructor(store: TaskStore, options: TaskRunnerOptions) {
    this.store = store;
    this.heartbeat = new Heartbeat(store, options.leaseMs);
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

  get heartbeatMs(): number {
    return this.leaseMs / heartbeatsPerLease;
  }

  /** Begins to look after tasks of instances that are gone. */
  open(service: Service): void {
    this.#services.add(service);
    this.#closed = false;
    this.#shared ||= service.shared;
    if (!this.#shared) return;
    this.#startHeartbeat();
    this.ready().catch((error: unknown) => this.reportError('Changes of tasks are not heard of', error));
  }

  /** Resolved when no change elsewhere is missed any more. */
  async ready(): Promise<void> {
    this.#subscription ??= this.store.subscribe(
      (event) => this.#onTaskEvent(event),
      () => this.#refreshAll(),
    );
    try {
      await this.#subscription;
    } catch (error) {
      this.#subscription = undefined;
      throw error;
    }
  }

  /** Makes a task of a call, and answers the call with it. What the handler does after that belongs to the task. */
  async start(operation: Operation, plan: TaskPlan, createHandle: CreateHandle): Promise<TaskRun> {
    const { maxRunning } = this.#options;
    const hint = { retryAfterMs: limits.server.retryMs.value, limit: 'server' } as const;
    if (this.#closed) throw later('The server is shutting down: try again', hint);
    if (this.#runs.size + this.#starting.size >= maxRunning) {
      throw later(`Server busy: ${maxRunning} tasks are worked on; try again when some are done`, hint);
    }
    const call = JSON.stringify(operation.keep());
    if (call.length > limits.tasks.arguments.value) {
      throw invalidParams(
        `The arguments are too long for a task: more than ${limits.tasks.arguments.value} characters`,
      );
    }
    const made: CreatedTask = { ...plan, createdAt: Date.now() };
    const id = createTaskId(made.createdAt, made.ttlMs, made.principal);
    this.#starting.add(id);
    try {
      await Promise.all([this.ready(), this.register()]);
      const { lapses, workerId: worker } = this.heartbeat;
      const record = createTaskRecord(id, made, { worker, call });
      await this.store.create(record, () => this.heartbeat.announce());
      // What is to be done is known here: only another instance has to read it.
      const run = new TaskRun(id, toTemplate(record), this);
      if (lapses !== this.heartbeat.lapses) this.#uncertainRuns.add(run);
      await this.#respond(operation, run, record, createHandle);
      return run;
    } catch (error) {
      this.#needsReconcile = true;
      throw error;
    } finally {
      this.#starting.delete(id);
      this.#notifyEnded();
    }
  }

  async #respond(operation: Operation, run: TaskRun, record: TaskRecord, createHandle: CreateHandle): Promise<void> {
    this.#runs.set(record.id, run);
    try {
      run.attach(await operation.answerNow(await createHandle(record), run, tasksId));
    } catch (error) {
      // Nobody got the handle.
      this.#runs.delete(record.id);
      await this.store.discard(record);
      throw error;
    }
  }

  owns(worker: string): boolean {
    return this.heartbeat.owns(worker);
  }

  has(id: string): boolean {
    return this.#runs.has(id) || this.#starting.has(id);
  }

  onRunEnded(run: TaskRun): void {
    const { id } = run;
    if (this.#runs.get(id) !== run) return;
    this.#runs.delete(id);
    const leaving = this.store.unassign(id, this.heartbeat.workerId);
    leaving.catch((error: unknown) => this.reportError('The list of tasks is out of date', error));
    this.#notifyEnded();
  }

  reportError(message: string, error: unknown): void {
    this.#options.reportError(message, error);
  }

  /** Tells of every change of a task, until the function given back is called. */
  watch(id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers);
    watchers.add(listener);
    return () => {
      watchers.delete(listener);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  /** Somebody asks for a task: where the instance that works on it is gone, its tasks are taken. */
  checkWorker(record: TaskRecord): void {
    this.#takeover.checkWorker(record);
  }

  /**
   * A server is served no more. Where it was the last, all tasks are let go of: those that may run again go to others, the rest
   * has failed. Where another has taken its place, that waits until its own tasks are done.
   */
  async close(service: Service, why: EndOfService): Promise<void> {
    this.#services.delete(service);
    if (why === 'replaced') while (this.#isFinishing) await this.#waitForEnd();
    // Served in another way too.
    if (this.#closed || this.#services.size > 0) return;
    this.#closed = true;
    this.#notifyEnded();
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = undefined;
    // What is being made or taken is let go of with the rest.
    await this.#takeover.waitUntilIdle();
    while (this.#starting.size > 0) await this.#waitForEnd();
    const reconciled = await Promise.allSettled(this.#needsReconcile ? [this.#reconcileOwn()] : []);
    const released = await Promise.allSettled(Array.from(this.#runs.values(), (run) => run.release()));
    // What could not be handed over is found by those who look after an instance that is gone.
    await ([...reconciled, ...released].some(({ status }) => status === 'rejected')
      ? this.heartbeat.releaseLease()
      : this.heartbeat.unregister());
    const subscription = this.#subscription;
    this.#subscription = undefined;
    (await subscription?.catch(() => undefined))?.();
  }

  get #isFinishing(): boolean {
    return !this.#closed && this.#services.size === 0 && this.#runs.size + this.#starting.size > 0;
  }

  #waitForEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#endListeners.add(resolve);
    });
  }

  #notifyEnded(): void {
    for (const listener of this.#endListeners) listener();
    this.#endListeners.clear();
  }

  async register(): Promise<void> {
    await this.heartbeat.register();
    this.#startHeartbeat();
  }

  #startHeartbeat(): void {
    this.#heartbeatTimer ??= letEnd(
      setInterval(() => this.runInBackground(() => this.#onHeartbeat()), this.heartbeatMs),
    );
  }

  runInBackground(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      this.#needsReconcile = true;
      this.reportError('Tasks could not be looked after', error);
    });
  }

  async #onHeartbeat(): Promise<void> {
    if (this.#closed) return;
    for (const run of this.#runs.values()) {
      if (run.hasExpired) run.expire();
      else run.flush();
    }
    if (this.heartbeat.isRegistered) await this.#renew();
    if (!this.#shared) return;
    await this.ready();
    const now = performance.now();
    const isDue = now - this.#checkedAt >= limits.tasks.lookMs.value;
    if (isDue) await this.#refreshWaiting(now);
    if (isDue || this.#needsReconcile) await this.#reconcileOwn();
    if (this.service !== undefined && (await this.store.claimSweep(this.heartbeatMs / 2))) await this.#takeover.sweep();
  }

  isOwnershipCertain(run: TaskRun): boolean {
    return this.heartbeat.holdsLease && this.heartbeat.lapses === this.#handledLapses && !this.#uncertainRuns.has(run);
  }

  async waitForOwnership(run: TaskRun): Promise<void> {
    while (!this.isOwnershipCertain(run) && !run.isOver) {
      try {
        await this.#renew();
        await this.#reclaim(run);
        this.#uncertainRuns.delete(run);
      } catch (error) {
        this.reportError('A task waits until the store can be asked whose it is', error);
        await new Promise((resolve) => letEnd(setTimeout(resolve, this.heartbeatMs)));
      }
    }
  }

  /** Says that this instance is alive. Where others may have thought otherwise, what they left of its tasks is kept. */
  async #renew(): Promise<void> {
    this.#renewing ??= this.heartbeat.renew().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
    if (this.heartbeat.lapses === this.#handledLapses) return;
    // However long that takes, the next beat says again that it is alive.
    this.#reclaiming ??= this.#reclaimAll().finally(() => {
      this.#reclaiming = undefined;
    });
    await this.#reclaiming;
  }

  async #reclaimAll(): Promise<void> {
    while (this.heartbeat.lapses !== this.#handledLapses) {
      const { lapses } = this.heartbeat;
      for (const run of Array.from(this.#runs.values())) await this.#reclaim(run);
      this.#handledLapses = lapses;
    }
  }

  /** Works on with a task under the name that this instance has now, unless somebody else has taken it. */
  async #reclaim(run: TaskRun): Promise<void> {
    const { id } = run;
    const worker = this.heartbeat.workerId;
    await this.store.assign(id, worker);
    const change = (record: TaskRecord): TaskChanges | undefined =>
      this.owns(record.worker) && record.worker !== worker ? { worker } : undefined;
    const record = await this.store.update(id, change);
    if (record === undefined || !this.owns(record.worker)) await this.store.unassign(id, worker);
    run.apply(record);
  }

  async #reconcileOwn(): Promise<void> {
    this.#needsReconcile = false;
    if (this.heartbeat.isRegistered) await this.#takeover.reconcileOwn();
  }

  async #refreshWaiting(now: number): Promise<void> {
    this.#checkedAt = now;
    await this.#refresh(Array.from(this.#runs.values()).filter((run) => run.isWaiting));
  }

  async #refresh(runs: Iterable<TaskRun>): Promise<void> {
    for (const run of runs) await run.refresh();
  }

  /** Changes may have been missed: whatever was known is looked at again. */
  #refreshAll(): void {
    this.runInBackground(() => this.#refresh(Array.from(this.#runs.values())));
    for (const id of this.#watchers.keys()) this.#notifyWatchers(id);
  }

  #onTaskEvent({ id, version, isFree }: TaskEvent): void {
    const run = this.#runs.get(id);
    if (run !== undefined && run.version < version) this.runInBackground(() => run.refresh());
    this.#notifyWatchers(id);
    if (isFree && run === undefined && !this.#closed) this.runInBackground(() => this.#takeover.takeOver(id, ''));
  }

  #notifyWatchers(id: string): void {
    for (const listener of this.#watchers.get(id) ?? []) listener();
  }

  async resume(task: TaskRecord, service: Service): Promise<boolean> {
    const call = parseCall(task);
    if (call === undefined) return false;
    const run = new TaskRun(task.id, { ...task, call: undefined }, this);
    this.#runs.set(task.id, run);
    try {
      run.attach(service.again(call, run));
    } catch (error) {
      this.reportError('A task can not be done again', error);
      run.end({ error: { code: ErrorCode.InternalError, message: 'The task can not be done again here' } });
    }
    await this.store.publish(task);
    // What came between is nothing that this instance was told.
    await run.refresh();
    return true;
  }
}

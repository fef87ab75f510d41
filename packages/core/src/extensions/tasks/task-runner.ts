import { limits } from '../../limits.ts';
import { letEnd } from '../../runtime/timers.ts';
import type { EndOfService, Service } from '../../server/call/background-job.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Operation } from '../../server/call/operation.ts';
import { later } from '../../server/quotas/overload.ts';
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

/** Options of a task runner. */
export interface TaskRunnerOptions {
  readonly maxRunning: number;
  readonly maxResult: number;
  readonly leaseMs: number;
  reportError(message: string, error: unknown): void;
}

/** Encodes the answer to a call that became a task. */
type CreateHandle = (record: TaskRecord) => Awaitable<Result>;

/** How many heartbeats fit into the lease. */
const heartbeatsPerLease = 3;
/**
 * Runs the tasks of one instance. It renews its lease with a heartbeat; the tasks of an instance whose lease expired go
 * to another one, which runs them again if that is allowed.
 */
export class TaskRunner implements TaskRunHost, TakeoverHost {
  readonly store: TaskStore;
  readonly heartbeat: Heartbeat;
  readonly maxResult: number;
  readonly leaseMs: number;
  readonly #options: TaskRunnerOptions;
  readonly #runs = new Map<string, TaskRun>();
  readonly #watchers = new Map<string, Set<() => void>>();
  /** The sessions whose clients get the questions of a task at once, by task id. */
  readonly questionSessions: Map<string, string> = new Map();
  readonly #takeover = new TaskTakeover(this);
  #subscription: Promise<() => void> | undefined;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #reclaiming: Promise<void> | undefined;
  /** The lapses of the heartbeat after which tasks were reclaimed. */
  #handledLapses = 0;
  /** Tasks created during a lapse. */
  readonly #uncertainRuns = new WeakSet<TaskRun>();
  #checkedAt = performance.now();
  /** Tasks being created. */
  readonly #starting = new Set<string>();
  /** True if a store operation has an unknown outcome. */
  #needsReconcile = false;
  /** The servers with these tasks, while transports serve them. */
  readonly #services = new Set<Service>();
  /** Called when a task has ended here. */
  readonly #endListeners = new Set<() => void>();
  /** True if other instances may run the same tasks. */
  #shared = false;
  #closed = false;

  constructor(store: TaskStore, options: TaskRunnerOptions) {
    this.store = store;
    this.heartbeat = new Heartbeat(store, options.leaseMs);
    this.maxResult = options.maxResult;
    this.leaseMs = options.leaseMs;
    this.#options = options;
  }

  /** How many tasks run here. */
  get running(): number {
    return this.#runs.size;
  }

  /** Runs tasks that others started; undefined: nobody here can. */
  get service(): Service | undefined {
    return [...this.#services].at(-1);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get heartbeatMs(): number {
    return this.leaseMs / heartbeatsPerLease;
  }

  /** Starts to take over tasks of dead instances. */
  open(service: Service): void {
    this.#services.add(service);
    this.#closed = false;
    this.#shared ||= service.shared;
    if (!this.#shared) return;
    this.#startHeartbeat();
    this.ready().catch((error: unknown) => this.reportError('Changes of tasks are not received', error));
  }

  /** Resolves when changes by other instances are received. */
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

  /** Turns a call into a task, and answers the call with its handle. The handler continues as the task. */
  async start(operation: Operation, plan: TaskPlan, createHandle: CreateHandle): Promise<TaskRun> {
    const { maxRunning } = this.#options;
    const hint = { retryAfterMs: limits.server.retryMs.value, limit: 'server' } as const;
    if (this.#closed) throw later('The server is shutting down: try again', hint);
    if (this.#runs.size + this.#starting.size >= maxRunning) {
      throw later(`Server busy: ${maxRunning} tasks are running; try again when some are done`, hint);
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
      // The call is known here: only another instance has to read it.
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

  /** Calls the listener for every change of a task, until the returned function is called. */
  watch(id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers);
    watchers.add(listener);
    return () => {
      watchers.delete(listener);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  /** Called when a task is read: takes over the tasks of its worker if that is dead. */
  checkWorker(record: TaskRecord): void {
    this.#takeover.checkWorker(record);
  }

  /**
   * Closes a service. With the last one all tasks are released: those that may run again go to other instances, the
   * others fail. A replaced service waits until its tasks are done.
   */
  async close(service: Service, why: EndOfService): Promise<void> {
    this.#services.delete(service);
    if (why === 'replaced') while (this.#isFinishing) await this.#waitForEnd();
    // Another transport still serves.
    if (this.#closed || this.#services.size > 0) return;
    this.#closed = true;
    this.#notifyEnded();
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = undefined;
    // Tasks being created or taken over are released with the rest.
    await this.#takeover.waitUntilIdle();
    while (this.#starting.size > 0) await this.#waitForEnd();
    const reconciled = await Promise.allSettled(this.#needsReconcile ? [this.#reconcileOwn()] : []);
    const released = await Promise.allSettled(Array.from(this.#runs.values(), (run) => run.release()));
    // Tasks that could not be released are found by takeover.
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
      this.reportError('Task maintenance failed', error);
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
        this.reportError('A task waits until the store confirms its owner', error);
        await new Promise((resolve) => letEnd(setTimeout(resolve, this.heartbeatMs)));
      }
    }
  }

  /** Renews the lease. After a lapse, reclaims the tasks that others left. */
  async #renew(): Promise<void> {
    this.#renewing ??= this.heartbeat.renew().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
    if (this.heartbeat.lapses === this.#handledLapses) return;
    // Not awaited by the next heartbeat, which must not be late.
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

  /** Moves a task to the current worker id, unless another instance has taken it. */
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

  /** Changes may have been missed: reads everything again. */
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
      this.reportError('A task can not be resumed', error);
      run.end({ error: { code: ErrorCode.InternalError, message: 'The task can not be resumed here' } });
    }
    await this.store.publish(task);
    // This instance got no events in between.
    await run.refresh();
    return true;
  }
}

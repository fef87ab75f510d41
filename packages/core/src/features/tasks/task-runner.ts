import { unref } from '../../runtime/timers.ts';
import type { CloseReason, Service } from '../../server/call/background-job.ts';
import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Operation } from '../../server/call/operation.ts';
import { retryLater, retryMs } from '../../server/retry-later.ts';
import type { Result } from '../../protocol/results.ts';
import { ErrorCode, invalidParams } from '../../jsonrpc/errors.ts';
import {
  toTemplate,
  parseCall,
  type CreatedTask,
  createTaskRecord,
  type TaskPlan,
  type TaskRecord,
} from './task-record.ts';
import { TaskFeed } from './task-feed.ts';
import { TaskOwnership } from './task-ownership.ts';
import { TaskTakeover, type TakeoverHost } from './task-takeover.ts';
import { RunningTasks } from './running-tasks.ts';
import { WorkerHeartbeat } from './worker-heartbeat.ts';
import { tasksId } from './protocol.ts';
import { type TaskRunHost, TaskRun } from './task-run.ts';
import { createTaskId } from './task-id.ts';
import { isExpiredId } from './task-transitions.ts';
import type { TaskEvent, TaskStore } from './task-store.ts';

/** How often a waiting task is checked again, in case a notification was lost. */
const recheckMs = 30 * 1000;

/** Maximum size of the arguments of a task as JSON, in characters. */
const maxArguments = 256 * 1024;

/** Options of a task runner. */
export interface TaskRunnerOptions {
  readonly maxRunning: number;
  readonly maxResult: number;
  readonly leaseMs: number;
  reportError(message: string, error: unknown): void;
}

/** Returns the runner for the server of a request. */
export type GetTaskRunner = (operation: Operation) => Promise<TaskRunner>;

/** Encodes the answer to a call that became a task. */
type CreateHandle = (record: TaskRecord) => Awaitable<Result>;

/**
 * Runs the tasks of one instance. It renews its lease with a heartbeat; the tasks of an instance whose lease expired go
 * to another one, which runs them again if that is allowed.
 */
export class TaskRunner implements TaskRunHost, TakeoverHost {
  readonly store: TaskStore;
  readonly heartbeat: WorkerHeartbeat;
  readonly maxResult: number;
  readonly tasks = new RunningTasks();
  isClosed = false;
  readonly #options: TaskRunnerOptions;
  /** The sessions whose clients get the questions of a task immediately, by task id. */
  readonly questionSessions: Map<string, string> = new Map();
  readonly ownership = new TaskOwnership(this);
  readonly feed: TaskFeed;
  readonly takeover = new TaskTakeover(this);
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #checkedAt = performance.now();
  /** True if a store operation has an unknown outcome. */
  #needsReconcile = false;
  /** The servers with these tasks, while transports serve them. */
  readonly #services = new Set<Service>();
  /** True if other instances may run the same tasks. */
  #shared = false;

  constructor(store: TaskStore, options: TaskRunnerOptions) {
    this.store = store;
    this.heartbeat = new WorkerHeartbeat(store, options.leaseMs);
    this.maxResult = options.maxResult;
    this.#options = options;
    this.feed = new TaskFeed(
      store,
      (event) => this.#onTaskEvent(event),
      () => this.runInBackground(() => this.#refresh(this.tasks.all())),
    );
  }

  /** Runs tasks that other instances started; undefined: this instance can't. */
  get service(): Service | undefined {
    return [...this.#services].at(-1);
  }

  /** Starts to take over tasks of dead instances. */
  open(service: Service): void {
    this.#services.add(service);
    this.isClosed = false;
    this.#shared ||= service.shared;
    if (!this.#shared) return;
    this.#startHeartbeat();
    this.feed.open().catch((error: unknown) => this.reportError('Changes of tasks are not received', error));
  }

  /** Turns a call into a task, and answers the call with its handle. The handler continues as the task. */
  async start(operation: Operation, plan: TaskPlan, createHandle: CreateHandle): Promise<TaskRun> {
    const { maxRunning } = this.#options;
    const hint = { retryAfterMs: retryMs, limit: 'server' } as const;
    if (this.isClosed) throw retryLater('The server is shutting down: try again', hint);
    if (this.tasks.size >= maxRunning) {
      throw retryLater(`Server busy: ${maxRunning} tasks are running; try again when some are done`, hint);
    }
    const call = JSON.stringify(operation.serialize());
    if (call.length > maxArguments) {
      throw invalidParams(`The arguments are too long for a task: more than ${maxArguments} characters`);
    }
    const made: CreatedTask = { ...plan, createdAt: Date.now() };
    const id = createTaskId(made.createdAt, made.ttlMs, made.principal);
    try {
      return await this.tasks.start(id, async () => {
        await Promise.all([this.feed.open(), this.register()]);
        const { lapses, workerId: worker } = this.heartbeat;
        const record = createTaskRecord(id, made, { worker, call });
        await this.store.create(record, () => this.heartbeat.announce());
        // The call is known here: only another instance has to read it.
        const run = new TaskRun(id, toTemplate(record), this);
        this.ownership.add(run, lapses);
        await this.#respond(operation, run, record, createHandle);
        return run;
      });
    } catch (error) {
      this.#needsReconcile = true;
      throw error;
    }
  }

  async #respond(operation: Operation, run: TaskRun, record: TaskRecord, createHandle: CreateHandle): Promise<void> {
    this.tasks.add(run);
    try {
      run.attach(await operation.respondEarly(await createHandle(record), run, tasksId));
    } catch (error) {
      // The handle was not delivered.
      this.tasks.remove(run);
      await this.store.discard(record);
      throw error;
    }
  }

  onRunEnded(run: TaskRun): void {
    if (!this.tasks.remove(run)) return;
    const leaving = this.store.workers.unassign(run.id, this.heartbeat.workerId);
    leaving.catch((error: unknown) => this.reportError('The list of tasks is out of date', error));
  }

  reportError(message: string, error: unknown): void {
    this.#options.reportError(message, error);
  }

  /**
   * Closes a service. With the last one all tasks are released: those that may run again go to other instances, the
   * others fail. A replaced service waits until its tasks are done.
   */
  async close(service: Service, why: CloseReason): Promise<void> {
    this.#services.delete(service);
    if (why === 'replaced') {
      while (!this.isClosed && this.#services.size === 0 && this.tasks.size > 0) await this.tasks.waitForEnd();
    }
    // Another transport still serves.
    if (this.isClosed || this.#services.size > 0) return;
    this.isClosed = true;
    this.tasks.notifyEnded();
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = undefined;
    // Tasks being created or taken over are released with the rest.
    await this.takeover.waitUntilIdle();
    while (this.tasks.isStarting) await this.tasks.waitForEnd();
    const reconciled = await Promise.allSettled(this.#needsReconcile ? [this.#reconcileOwn()] : []);
    const released = await Promise.allSettled(this.tasks.all().map((run) => run.release()));
    // Tasks that could not be released are found by takeover.
    await ([...reconciled, ...released].some(({ status }) => status === 'rejected')
      ? this.heartbeat.releaseLease()
      : this.heartbeat.unregister());
    await this.feed.close();
  }

  async register(): Promise<void> {
    await this.heartbeat.register();
    this.#startHeartbeat();
  }

  #startHeartbeat(): void {
    this.#heartbeatTimer ??= unref(
      setInterval(() => this.runInBackground(() => this.#onHeartbeat()), this.heartbeat.intervalMs),
    );
  }

  runInBackground(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      this.#needsReconcile = true;
      this.reportError('Task maintenance failed', error);
    });
  }

  async #onHeartbeat(): Promise<void> {
    if (this.isClosed) return;
    for (const run of this.tasks.all()) {
      if (isExpiredId(run.id)) run.expire();
      else run.flush();
    }
    if (this.heartbeat.isRegistered) await this.ownership.renew();
    if (!this.#shared) return;
    await this.feed.open();
    const now = performance.now();
    const isDue = now - this.#checkedAt >= recheckMs;
    if (isDue) {
      this.#checkedAt = now;
      await this.#refresh(this.tasks.all().filter((run) => run.isWaiting));
    }
    if (isDue || this.#needsReconcile) await this.#reconcileOwn();
    if (this.service !== undefined && (await this.store.workers.claimSweep(this.heartbeat.intervalMs / 2)))
      await this.takeover.sweep();
  }

  async #reconcileOwn(): Promise<void> {
    this.#needsReconcile = false;
    if (this.heartbeat.isRegistered) await this.takeover.reconcileOwn();
  }

  async #refresh(runs: readonly TaskRun[]): Promise<void> {
    for (const run of runs) run.apply(await this.store.read(run.id));
  }

  #onTaskEvent({ id, version, isFree }: TaskEvent): void {
    const run = this.tasks.get(id);
    if (run !== undefined && run.version < version) this.runInBackground(() => this.#refresh([run]));
    if (isFree && run === undefined && !this.isClosed) this.runInBackground(() => this.takeover.takeOver(id, ''));
  }

  async resume(task: TaskRecord, service: Service): Promise<boolean> {
    const call = parseCall(task);
    if (call === undefined) return false;
    const run = new TaskRun(task.id, { ...task, call: undefined }, this);
    this.tasks.add(run);
    try {
      run.attach(service.replay(call, run));
    } catch (error) {
      this.reportError('A task can not be resumed', error);
      run.end({ error: { code: ErrorCode.InternalError, message: 'The task can not be resumed here' } });
    }
    await this.store.publish(task);
    // This instance got no events in between.
    await this.#refresh([run]);
    return true;
  }
}

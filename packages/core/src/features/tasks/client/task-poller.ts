import { onAbort } from '../../../client/abort-signals.ts';
import { type DetailedTask, isFinal } from '../protocol.ts';
import { withRetry } from './retry.ts';
import { TaskGoneError } from './task-errors.ts';
import type { TaskConnection, TaskWire } from './task-wire.ts';

/** The first poll interval if the server suggests none; it doubles with each poll. */
const firstMs = 100;
/** Maximum of these intervals. */
const maxPollMs = 1000;
/** Minimum poll interval, even if the server suggests less. */
const shortestMs = 50;
/** Maximum poll interval, even if the server suggests more. */
const longestMs = 60 * 60_000;
/** Minimum poll interval while subscribed to the task. */
const safetyMs = 15 * 1000;

/** The delay before the next poll, in milliseconds. */
export function pollDelay(
  /** The number of polls so far. */
  polls: number,
  /** The interval that the server suggests, as a minimum. */
  requestedMs: number | undefined,
  { isSubscribed = false, random = Math.random }: { isSubscribed?: boolean; random?: () => number } = {},
): number {
  // Short tasks end soon, so the first polls come sooner unless the server objects.
  const wantedMs =
    requestedMs === undefined
      ? Math.min(firstMs * 2 ** polls, maxPollMs)
      : Math.min(Math.max(requestedMs, shortestMs), longestMs);
  return withJitter(isSubscribed ? Math.max(wantedMs, safetyMs) : wantedMs, random);
}

/** Adds jitter of up to a tenth, so that clients don't poll simultaneously. */
function withJitter(ms: number, random: () => number): number {
  return Math.ceil(ms * (1 + 0.1 * random()));
}

/** The delay before the client subscribes to a task that has not ended. */
const listenAfterMs = 100;

/** A listener for changes of a task. */
export interface TaskWatcher {
  changed(task: DetailedTask): void;
  failed(error: Error): void;
}

/** Polls a task while it has watchers, once for all of them. */
export class TaskPoller {
  readonly #line: Pick<TaskConnection, 'signal'>;
  readonly #wire: TaskWire;
  readonly #watchers = new Set<TaskWatcher>();
  readonly #since = performance.now();
  #task: DetailedTask;
  #polling: AbortController | undefined;
  /** Ends the delay before the next poll. */
  #wake: () => void = () => {};
  /** Removes the listener for the end of the connection. */
  #release: () => void = () => {};
  #isSubscribed = false;
  /** The number of notifications so far. */
  #notifications = 0;

  constructor(connection: Pick<TaskConnection, 'signal'>, wire: TaskWire, task: DetailedTask) {
    this.#line = connection;
    this.#wire = wire;
    this.#task = task;
  }

  /** The last known state. */
  get task(): DetailedTask {
    return this.#task;
  }

  /** Calls the watcher for each change. Returns the function that unsubscribes. */
  watch(watcher: TaskWatcher): () => void {
    this.#watchers.add(watcher);
    if (this.#polling === undefined && !isFinal(this.#task.status)) this.#start();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  /** Polls now. */
  async refresh(): Promise<DetailedTask> {
    await this.#fetch(() => this.#wire.get());
    return this.#task;
  }

  #start(): void {
    const polling = new AbortController();
    this.#polling = polling;
    const failed = (error: Error): void => {
      if (polling.signal.aborted) return;
      this.#stop();
      for (const watcher of Array.from(this.#watchers)) watcher.failed(error);
    };
    const over = (): void => failed(this.#line.signal.reason as Error);
    this.#release = onAbort(this.#line.signal, over);
    this.#poll(polling.signal).catch(failed);
  }

  #stop(): void {
    this.#polling?.abort(new Error('The task is no longer watched'));
    this.#polling = undefined;
    this.#release();
    this.#isSubscribed = false;
    this.#wake();
  }

  async #poll(signal: AbortSignal): Promise<void> {
    this.#subscribeSoon(signal);
    for (let polls = 0; ; polls += 1) {
      await this.#delay(this.#delayMs(polls));
      if (signal.aborted) return;
      if (isFinal(this.#task.status)) return this.#stop();
      await this.#fetch(() => withRetry(() => this.#wire.get(), [signal, this.#line.signal]));
      if (signal.aborted) return;
      if (isFinal(this.#task.status)) return this.#stop();
      if (performance.now() > this.#givesUpAt()) throw new TaskGoneError(this.#task.taskId, 'expired');
    }
  }

  /** Subscribes after a short delay if the task has not ended, to learn of its end before the next poll. */
  #subscribeSoon(signal: AbortSignal): void {
    if (this.#wire.listen === undefined) return;
    const timer = setTimeout(() => void this.#subscribe(signal), listenAfterMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** Subscribes to changes, if the server supports that: then polls can be rare. */
  async #subscribe(signal: AbortSignal): Promise<void> {
    try {
      const subscription = await this.#wire.listen?.((task) => this.#onNotification(task), signal);
      if (signal.aborted) return;
      this.#isSubscribed = true;
      await subscription?.closed;
    } catch {
      // Polling continues without notifications.
    } finally {
      if (!signal.aborted) {
        this.#isSubscribed = false;
        this.#wake();
      }
    }
  }

  #delayMs(polls: number): number {
    const pauseMs = pollDelay(polls, this.#task.pollIntervalMs, { isSubscribed: this.#isSubscribed });
    return Math.min(pauseMs, Math.max(0, this.#givesUpAt() - performance.now()) + 1);
  }

  /**
   * When to give up. The lifetime counts from when this client first saw the task, since clocks differ, plus one poll.
   */
  #givesUpAt(): number {
    const { ttlMs, pollIntervalMs } = this.#task;
    return ttlMs === null ? Number.POSITIVE_INFINITY : this.#since + ttlMs + pollDelay(99, pollIntervalMs);
  }

  #delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** An answer is the newest state, whatever the server's clock says, unless a notification arrived meanwhile. */
  async #fetch(get: () => Promise<DetailedTask>): Promise<void> {
    const notifications = this.#notifications;
    const task = await get();
    if (notifications === this.#notifications || !isOlder(task, this.#task)) this.#update(task);
  }

  /** Notifications and answers may cross. */
  #onNotification(task: DetailedTask): void {
    this.#notifications += 1;
    if (!isOlder(task, this.#task)) this.#update(task);
  }

  #update(task: DetailedTask): void {
    const before = this.#task;
    if (isFinal(before.status)) return;
    this.#task = task;
    if (hasChanged(before, task)) for (const watcher of Array.from(this.#watchers)) watcher.changed(task);
    if (isFinal(task.status)) this.#wake();
  }
}

function isOlder(task: DetailedTask, known: DetailedTask): boolean {
  return !isFinal(task.status) && Date.parse(task.lastUpdatedAt) < Date.parse(known.lastUpdatedAt);
}

function hasChanged(one: DetailedTask, other: DetailedTask): boolean {
  return fingerprint(one) !== fingerprint(other);
}

function fingerprint({ status, statusMessage, inputRequests = {} }: DetailedTask): string {
  return JSON.stringify([status, statusMessage, Object.keys(inputRequests)]);
}

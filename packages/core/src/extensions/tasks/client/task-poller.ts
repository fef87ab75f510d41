import { onAbort } from '../../../client/abort-signals.ts';
import { limits } from '../../../limits.ts';
import { type DetailedTask, isFinal } from '../protocol.ts';
import { withRetry } from './retry.ts';
import { TaskGoneError } from './task-errors.ts';
import type { TaskConnection, TaskWire } from './task-wire.ts';

const firstMs = limits.clientTasks.firstPollMs.value;
const usualMs = limits.clientTasks.pollMs.value;
const shortestMs = limits.clientTasks.shortestPollMs.value;
const longestMs = limits.clientTasks.longestPollMs.value;
const safetyMs = limits.clientTasks.safetyPollMs.value;

/** How long to wait before a task is looked at again, in milliseconds. */
export function pollDelay(
  /** How often it was looked at. */
  polls: number,
  /** What the server asks for at the moment: it is never looked at sooner. */
  requestedMs: number | undefined,
  { isHeard: isSubscribed = false, random = Math.random }: { isHeard?: boolean; random?: () => number } = {},
): number {
  // Short work ends soon; so the first looks come sooner where the server does not mind.
  const wantedMs =
    requestedMs === undefined
      ? Math.min(firstMs * 2 ** polls, usualMs)
      : Math.min(Math.max(requestedMs, shortestMs), longestMs);
  return withJitter(isSubscribed ? Math.max(wantedMs, safetyMs) : wantedMs, random);
}

/** Up to a tenth more, so that many clients don't ask at once. */
function withJitter(ms: number, random: () => number): number {
  return Math.ceil(ms * (1 + 0.1 * random()));
}

const listenAfterMs = limits.clientTasks.listenAfterMs.value;

/** Somebody who wants to know how a task stands. */
export interface TaskWatcher {
  changed(task: DetailedTask): void;
  failed(error: Error): void;
}

/** Knows how a task stands. It is looked at as long as somebody watches, once for all of them. */
export class TaskPoller {
  readonly #line: Pick<TaskConnection, 'signal'>;
  readonly #wire: TaskWire;
  readonly #watchers = new Set<TaskWatcher>();
  readonly #since = performance.now();
  #task: DetailedTask;
  #polling: AbortController | undefined;
  /** Ends the pause before the next look. */
  #wake: () => void = () => {};
  /** Ends the waiting for the end of the connection. */
  #release: () => void = () => {};
  #isSubscribed = false;
  /** How often the server has told of it. */
  #notifications = 0;

  constructor(connection: Pick<TaskConnection, 'signal'>, wire: TaskWire, task: DetailedTask) {
    this.#line = connection;
    this.#wire = wire;
    this.#task = task;
  }

  /** How the task stood when it was last heard of. */
  get task(): DetailedTask {
    return this.#task;
  }

  /** Tells of each change from now on; the function that it gives ends that. */
  watch(watcher: TaskWatcher): () => void {
    this.#watchers.add(watcher);
    if (this.#polling === undefined && !isFinal(this.#task.status)) this.#start();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  /** Asks the server now. */
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
    this.#polling?.abort(new Error('Nobody watches the task any more'));
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

  /** Listens to a task that does not end at once: its end is heard before the server would have it asked for. */
  #subscribeSoon(signal: AbortSignal): void {
    if (this.#wire.listen === undefined) return;
    const timer = setTimeout(() => void this.#subscribe(signal), listenAfterMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** Hears of changes, where the server tells of them: then it need not be asked often. */
  async #subscribe(signal: AbortSignal): Promise<void> {
    try {
      const subscription = await this.#wire.listen?.((task) => this.#onNotification(task), signal);
      if (signal.aborted) return;
      this.#isSubscribed = true;
      await subscription?.closed;
    } catch {
      // It is looked at all the same.
    } finally {
      if (!signal.aborted) {
        this.#isSubscribed = false;
        this.#wake();
      }
    }
  }

  #delayMs(polls: number): number {
    const pauseMs = pollDelay(polls, this.#task.pollIntervalMs, { isHeard: this.#isSubscribed });
    return Math.min(pauseMs, Math.max(0, this.#givesUpAt() - performance.now()) + 1);
  }

  /** When to give up: its time is counted from when this side first heard of it, as clocks differ, and a little is added. */
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

  /** An answer is the newest that there is, whatever the clock of the server says, unless something was told meanwhile. */
  async #fetch(get: () => Promise<DetailedTask>): Promise<void> {
    const notifications = this.#notifications;
    const task = await get();
    if (notifications === this.#notifications || !isOlder(task, this.#task)) this.#update(task);
  }

  /** What was told and what was asked for may cross each other. */
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

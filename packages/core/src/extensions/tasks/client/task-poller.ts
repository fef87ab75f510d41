import { whenAborted } from '../../../client/abort-signals.ts';
import { limits } from '../../../limits.ts';
import { type DetailedTask, isFinal } from '../protocol.ts';
import { patiently } from './retry.ts';
import { TaskGoneError } from './task-errors.ts';
import type { TaskLine, TaskWire } from './task-wire.ts';

const firstMs = limits.clientTasks.firstPollMs.value;
const usualMs = limits.clientTasks.pollMs.value;
const shortestMs = limits.clientTasks.shortestPollMs.value;
const longestMs = limits.clientTasks.longestPollMs.value;
const safetyMs = limits.clientTasks.safetyPollMs.value;

/** How long to wait before a task is looked at again, in milliseconds. */
export function pollPause(
  /** How often it was looked at. */
  looks: number,
  /** What the server asks for at the moment: it is never looked at sooner. */
  askedMs: number | undefined,
  { isHeard = false, random = Math.random }: { isHeard?: boolean; random?: () => number } = {},
): number {
  // Short work ends soon; so the first looks come sooner where the server does not mind.
  const wantedMs =
    askedMs === undefined
      ? Math.min(firstMs * 2 ** looks, usualMs)
      : Math.min(Math.max(askedMs, shortestMs), longestMs);
  return spread(isHeard ? Math.max(wantedMs, safetyMs) : wantedMs, random);
}

/** Up to a tenth more, so that many clients don't ask at once. */
function spread(ms: number, random: () => number): number {
  return Math.ceil(ms * (1 + 0.1 * random()));
}

const listenAfterMs = limits.clientTasks.listenAfterMs.value;

/** Somebody who wants to know how a task stands. */
export interface TaskWatcher {
  changed(task: DetailedTask): void;
  failed(error: Error): void;
}

/** Knows how a task stands. It is looked at as long as somebody watches, once for all of them. */
export class TaskWatch {
  readonly #line: Pick<TaskLine, 'signal'>;
  readonly #wire: TaskWire;
  readonly #watchers = new Set<TaskWatcher>();
  readonly #since = performance.now();
  #task: DetailedTask;
  #looking: AbortController | undefined;
  /** Ends the pause before the next look. */
  #wake: () => void = () => {};
  /** Ends the waiting for the end of the connection. */
  #release: () => void = () => {};
  #isHeard = false;
  /** How often the server has told of it. */
  #told = 0;

  constructor(line: Pick<TaskLine, 'signal'>, wire: TaskWire, task: DetailedTask) {
    this.#line = line;
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
    if (this.#looking === undefined && !isFinal(this.#task.status)) this.#begin();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#end();
    };
  }

  /** Asks the server now. */
  async refresh(): Promise<DetailedTask> {
    await this.#ask(() => this.#wire.get());
    return this.#task;
  }

  #begin(): void {
    const looking = new AbortController();
    this.#looking = looking;
    const failed = (error: Error): void => {
      if (looking.signal.aborted) return;
      this.#end();
      for (const watcher of Array.from(this.#watchers)) watcher.failed(error);
    };
    const over = (): void => failed(this.#line.signal.reason as Error);
    this.#release = whenAborted(this.#line.signal, over);
    this.#look(looking.signal).catch(failed);
  }

  #end(): void {
    this.#looking?.abort(new Error('Nobody watches the task any more'));
    this.#looking = undefined;
    this.#release();
    this.#isHeard = false;
    this.#wake();
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#listenSoon(signal);
    for (let looks = 0; ; looks += 1) {
      await this.#pause(this.#pauseMs(looks));
      if (signal.aborted) return;
      if (isFinal(this.#task.status)) return this.#end();
      await this.#ask(() => patiently(() => this.#wire.get(), [signal, this.#line.signal]));
      if (signal.aborted) return;
      if (isFinal(this.#task.status)) return this.#end();
      if (performance.now() > this.#lostAt()) throw new TaskGoneError(this.#task.taskId, 'expired');
    }
  }

  /** Listens to a task that does not end at once: its end is heard before the server would have it asked for. */
  #listenSoon(signal: AbortSignal): void {
    if (this.#wire.listen === undefined) return;
    const timer = setTimeout(() => void this.#listen(signal), listenAfterMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** Hears of changes, where the server tells of them: then it need not be asked often. */
  async #listen(signal: AbortSignal): Promise<void> {
    try {
      const telling = await this.#wire.listen?.((task) => this.#hear(task), signal);
      if (signal.aborted) return;
      this.#isHeard = true;
      await telling?.closed;
    } catch {
      // It is looked at all the same.
    } finally {
      if (!signal.aborted) {
        this.#isHeard = false;
        this.#wake();
      }
    }
  }

  #pauseMs(looks: number): number {
    const pauseMs = pollPause(looks, this.#task.pollIntervalMs, { isHeard: this.#isHeard });
    return Math.min(pauseMs, Math.max(0, this.#lostAt() - performance.now()) + 1);
  }

  /** When to give up: its time is counted from when this side first heard of it, as clocks differ, and a little is added. */
  #lostAt(): number {
    const { ttlMs, pollIntervalMs } = this.#task;
    return ttlMs === null ? Number.POSITIVE_INFINITY : this.#since + ttlMs + pollPause(99, pollIntervalMs);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** An answer is the newest that there is, whatever the clock of the server says, unless something was told meanwhile. */
  async #ask(get: () => Promise<DetailedTask>): Promise<void> {
    const told = this.#told;
    const task = await get();
    if (told === this.#told || !isOlder(task, this.#task)) this.#take(task);
  }

  /** What was told and what was asked for may cross each other. */
  #hear(task: DetailedTask): void {
    this.#told += 1;
    if (!isOlder(task, this.#task)) this.#take(task);
  }

  #take(task: DetailedTask): void {
    const before = this.#task;
    if (isFinal(before.status)) return;
    this.#task = task;
    if (differs(before, task)) for (const watcher of Array.from(this.#watchers)) watcher.changed(task);
    if (isFinal(task.status)) this.#wake();
  }
}

function isOlder(task: DetailedTask, known: DetailedTask): boolean {
  return !isFinal(task.status) && Date.parse(task.lastUpdatedAt) < Date.parse(known.lastUpdatedAt);
}

function differs(one: DetailedTask, other: DetailedTask): boolean {
  return written(one) !== written(other);
}

function written({ status, statusMessage, inputRequests = {} }: DetailedTask): string {
  return JSON.stringify([status, statusMessage, Object.keys(inputRequests)]);
}

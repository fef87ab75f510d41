import { isId, type Params, type RequestId } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { isWorkerd } from '../../runtime/kind.ts';
import { type AbortSignalLike, onAbort } from '../abort-signals.ts';

/** Progress of a request, as the server reports it. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** Timeouts, cancellation and progress of one request. */
export interface WaitOptions {
  /** Timeout without an answer or progress, in milliseconds. */
  timeoutMs: number;
  /** The shared time budget of which `timeoutMs` is the rest. */
  budgetMs?: number;
  /** Timeout in total, whatever the progress. */
  maxTimeoutMs: number;
  signal?: AbortSignalLike | undefined;
  /** Asks the server for progress, which extends the timeout. */
  progress?: ((progress: Progress) => void) | true | undefined;
  /** The server gets no cancellation when the request times out or aborts. */
  quiet?: true;
}

/** A pending request: one object for all of its state, since one is created for every call. */
export interface PendingRequest extends RequestTiming {
  readonly method: string;
  readonly waiting: WaitOptions;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Timing state of a pending request. */
export interface RequestTiming {
  /** When it was sent. */
  sentAt: number;
  /** When progress last arrived, if any did. */
  progressAt: number | undefined;
  /** Absent if the deadline is later than a timer can be set. */
  timer: SharedTimer | undefined;
  /** Removes the abort listener. */
  release: (() => void) | undefined;
}

/** The timing state before a request is sent. */
export const initialTiming: Readonly<RequestTiming> = {
  sentAt: 0,
  progressAt: undefined,
  timer: undefined,
  release: undefined,
};

/** Callbacks for requests that time out or abort, and the clock that measures them. */
export interface PendingRequestHost {
  onTimeout(id: RequestId, request: PendingRequest): void;
  onAbort(id: RequestId, request: PendingRequest, signal: AbortSignalLike): void;
  /** True while the server waits for an answer of ours: that time does not count. */
  isPaused(): boolean;
}

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** The requests that wait for an answer, each with a deadline. */
export class PendingRequests {
  readonly #pending = new RequestTable();
  readonly #host: PendingRequestHost;
  readonly #sharedTimer: SharedTimer | undefined;
  /** How many requests have a deadline within reach of a timer. */
  #timedCount = 0;

  /** `apart`: one timer per request. Default: true if a timer ends with the request that set it. */
  constructor(clock: PendingRequestHost, { apart = isWorkerd }: { apart?: boolean } = {}) {
    this.#host = clock;
    this.#sharedTimer = apart ? undefined : this.#createTimer();
  }

  #createTimer(): SharedTimer {
    return new SharedTimer(() => this.#onTimer());
  }

  add(id: RequestId, request: PendingRequest): void {
    const { signal, timeoutMs, maxTimeoutMs } = request.waiting;
    const now = performance.now();
    const wait = Math.min(timeoutMs, maxTimeoutMs);
    request.sentAt = now;
    this.#pending.set(id, request);
    if (wait < maxTimerMs) {
      const timer = this.#sharedTimer ?? this.#createTimer();
      request.timer = timer;
      this.#timedCount += 1;
      timer.schedule(now, now + wait);
    }
    if (signal === undefined) return;
    request.release = onAbort(signal, () => this.#host.onAbort(id, request, signal));
  }

  /** Removes a request from the list. */
  take(id: RequestId): PendingRequest | undefined {
    const request = this.#pending.get(id);
    if (request === undefined) return undefined;
    this.#pending.delete(id);
    if (request.timer !== undefined) this.#releaseTimer(request.timer);
    request.release?.();
    return request;
  }

  #releaseTimer(timer: SharedTimer): void {
    this.#timedCount -= 1;
    if (this.#sharedTimer === undefined) timer.stop();
    else if (this.#timedCount === 0) timer.unref();
  }

  /** Rejects and removes all requests. */
  rejectAll(reason: Error): void {
    for (const id of this.#pending.entries().map(([each]) => each)) this.take(id)?.reject(reason);
    this.#sharedTimer?.stop();
  }

  /** Progress extends the timeout, up to `maxTimeoutMs`. */
  onProgress({ progressToken, progress, total, message }: Params): void {
    const request = isId(progressToken) ? this.#pending.get(progressToken) : undefined;
    if (request === undefined || typeof progress !== 'number') return;
    request.progressAt = performance.now();
    if (typeof request.waiting.progress !== 'function') return;
    request.waiting.progress({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  /** Times out the requests whose deadline has passed, and reschedules for the others. */
  #onTimer(): void {
    const now = performance.now();
    const late: RequestId[] = [];
    for (const [id, request] of this.#pending.entries()) {
      if (request.timer === undefined) continue;
      if (deadlineOf(request) <= now && this.#host.isPaused()) request.progressAt = now;
      const end = deadlineOf(request);
      if (end <= now) late.push(id);
      else request.timer.schedule(now, end);
    }
    for (const id of late) {
      const request = this.#pending.get(id);
      if (request !== undefined) this.#host.onTimeout(id, request);
    }
  }
}

/** How many slots a table has, as a mask. */
const slotMask = 127;

/**
 * Requests by id. Ids are ascending, so their last bits select a slot; if it is taken, the request goes into a map.
 * With a map alone, its outgrown tables would retain answered requests, and with them the calls of a gateway.
 */
class RequestTable {
  readonly #slots: (Entry | undefined)[] = Array.from({ length: slotMask + 1 }, () => undefined);
  readonly #others = new Map<RequestId, PendingRequest>();

  get(id: RequestId): PendingRequest | undefined {
    const entry = this.#slots[slotOf(id)];
    return entry?.id === id ? entry.request : this.#others.get(id);
  }

  set(id: RequestId, request: PendingRequest): void {
    const slot = slotOf(id);
    if (this.#slots[slot] === undefined) this.#slots[slot] = { id, request };
    else this.#others.set(id, request);
  }

  delete(id: RequestId): void {
    const slot = slotOf(id);
    if (this.#slots[slot]?.id === id) this.#slots[slot] = undefined;
    else this.#others.delete(id);
  }

  /** All requests, in the order in which they were sent. */
  entries(): [RequestId, PendingRequest][] {
    const entries: [RequestId, PendingRequest][] = [...this.#others];
    for (const entry of this.#slots) if (entry !== undefined) entries.push([entry.id, entry.request]);
    return entries.sort(([one], [other]) => Number(one) - Number(other));
  }
}

interface Entry {
  readonly id: RequestId;
  readonly request: PendingRequest;
}

function slotOf(id: RequestId): number {
  return (id as number) & slotMask;
}

/** The deadline of a request, unless progress arrives. */
function deadlineOf({ sentAt: since, progressAt = since, waiting }: PendingRequest): number {
  return Math.min(progressAt + waiting.timeoutMs, since + waiting.maxTimeoutMs);
}

/**
 * One timer for many deadlines: it fires at the first one, or earlier. Most requests are answered long before, so a
 * timer for each would be set only to be cleared.
 */
export class SharedTimer {
  readonly #onTimer: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  #isIdle = false;

  constructor(ring: () => void) {
    this.#onTimer = ring;
  }

  /** Makes the timer fire at this time at the latest. */
  schedule(now: number, at: number): void {
    if (at < this.#at) {
      clearTimeout(this.#timer);
      this.#at = at;
      this.#isIdle = false;
      this.#timer = setTimeout(() => {
        this.stop();
        this.#onTimer();
      }, at - now);
    } else if (this.#isIdle) {
      this.#isIdle = false;
      this.#timer?.ref?.();
    }
  }

  /** No request has a deadline: lets the process exit, but keeps the timer for the next request. */
  unref(): void {
    if (this.#timer?.unref === undefined) return this.stop();
    this.#isIdle = true;
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = Number.POSITIVE_INFINITY;
    this.#isIdle = false;
  }
}

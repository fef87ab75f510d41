import { isId, type Params, type RequestId } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { inWorkers } from '../../runtime/kind.ts';
import { onAbort } from '../abort-signals.ts';

/** How far a request has come, as the server tells. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** How one request is waited for. */
export interface WaitOptions {
  /** How long without an answer or progress, in milliseconds. */
  timeoutMs: number;
  /** The time of which `timeoutMs` is what is left, where several requests share it. */
  budgetMs?: number;
  /** How long at most, whatever the progress. */
  maxTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Asks the server for progress, which gives the request more time. */
  progress?: ((progress: Progress) => void) | true | undefined;
  /** The server is not told when nobody waits any more. */
  quiet?: true;
}

/** A request that is waited for: one object for all that is known of it, since one is made for every call. */
export interface PendingRequest extends RequestTiming {
  readonly method: string;
  readonly waiting: WaitOptions;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** What the list of open requests keeps with each of them. */
export interface RequestTiming {
  /** When it was sent. */
  sentAt: number;
  /** When there was progress, if there was. */
  progressAt: number | undefined;
  /** Absent where no timer can wait so long: that moment never comes. */
  timer: SharedTimer | undefined;
  /** Ends the waiting for its signal. */
  release: (() => void) | undefined;
}

/** What is known of the time of a request before it is open. */
export const initialTiming: Readonly<RequestTiming> = {
  sentAt: 0,
  progressAt: undefined,
  timer: undefined,
  release: undefined,
};

/** What happens to a request that is given up, and what stops the clock. */
export interface PendingRequestHost {
  onTimeout(id: RequestId, request: PendingRequest): void;
  onAbort(id: RequestId, request: PendingRequest, signal: AbortSignal): void;
  /** True while the server waits for us: that time does not count against it. */
  isPaused(): boolean;
}

/** The longest delay that a timer can have. */
const maxTimerMs = 2 ** 31 - 1;

/** The requests that are open: each is waited for until its time is up. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #host: PendingRequestHost;
  readonly #sharedTimer: SharedTimer | undefined;
  /** How many of them have an end that a timer can wait for. */
  #timedCount = 0;

  /** `apart`: each request has a timer of its own. Default: where a timer ends with the request that set it. */
  constructor(clock: PendingRequestHost, { apart = inWorkers }: { apart?: boolean } = {}) {
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

  /** Takes a request off the list. */
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

  /** Takes all requests off the list, because none will be answered. */
  rejectAll(reason: Error): void {
    for (const id of Array.from(this.#pending.keys())) this.take(id)?.reject(reason);
    this.#sharedTimer?.stop();
  }

  /** Progress gives a request more time, up to its limit. */
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

  /** Somebody's time may be up. Those who have more are waited for again. */
  #onTimer(): void {
    const now = performance.now();
    const late: RequestId[] = [];
    for (const [id, request] of this.#pending) {
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

/** When the time of a request is up, unless there is progress. */
function deadlineOf({ sentAt: since, progressAt = since, waiting }: PendingRequest): number {
  return Math.min(progressAt + waiting.timeoutMs, since + waiting.maxTimeoutMs);
}

/**
 * One timer for many moments: it rings at the first of them, or earlier. Most requests are answered long before, and a timer
 * for each would be set only to be cleared.
 */
export class SharedTimer {
  readonly #onTimer: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  #isIdle = false;

  constructor(ring: () => void) {
    this.#onTimer = ring;
  }

  /** Sees to it that it rings at this moment at the latest. */
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

  /** Nobody waits at the moment: lets the process end, but another request may come at once. */
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

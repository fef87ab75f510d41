import { isId, type Params, type RequestId } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';
import { inWorkers } from '../runtime/kind.ts';

/** How far a request has come, as the server tells. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** How one request is waited for. */
export interface Waiting {
  /** How long without an answer or progress, in milliseconds. */
  timeoutMs: number;
  /** How long at most, whatever the progress. */
  maxTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Asks the server for progress, which gives the request more time. */
  progress?: ((progress: Progress) => void) | true | undefined;
  /** The server is not told when nobody waits any more. */
  quiet?: true;
}

/** A request that is waited for. */
export interface OpenRequest {
  readonly method: string;
  readonly waiting: Waiting;
  resolve(result: Result): void;
  reject(error: Error): void;
}

interface Timed extends OpenRequest {
  /** When the time is up, unless there is progress. */
  until: number;
  /** When it is up in any case. */
  readonly last: number;
  /** Absent where no timer can wait so long: that moment never comes. */
  readonly alarm: Alarm | undefined;
  abort: (() => void) | undefined;
}

/** What happens to a request that is given up, and what stops the clock. */
export interface Clock {
  timeUp(id: RequestId, request: OpenRequest): void;
  aborted(id: RequestId, request: OpenRequest, signal: AbortSignal): void;
  /** True while the server waits for us: that time does not count against it. */
  isStopped(): boolean;
}

/** The longest delay that a timer can have. */
const longest = 2 ** 31 - 1;

/** The requests that are open: each is waited for until its time is up. */
export class OpenRequests {
  readonly #open = new Map<RequestId, Timed>();
  readonly #clock: Clock;
  readonly #shared: Alarm | undefined;
  /** How many of them have an end that a timer can wait for. */
  #hurried = 0;

  /** `apart`: each request has a timer of its own. Default: where a timer ends with the request that set it. */
  constructor(clock: Clock, { apart = inWorkers }: { apart?: boolean } = {}) {
    this.#clock = clock;
    this.#shared = apart ? undefined : this.#newAlarm();
  }

  #newAlarm(): Alarm {
    return new Alarm(() => this.#ring());
  }

  add(id: RequestId, { method, waiting, resolve, reject }: OpenRequest): void {
    const { signal, timeoutMs, maxTimeoutMs } = waiting;
    const now = performance.now();
    const last = now + maxTimeoutMs;
    const until = Math.min(now + timeoutMs, last);
    const alarm = until - now < longest ? (this.#shared ?? this.#newAlarm()) : undefined;
    if (alarm !== undefined) this.#hurried += 1;
    // Written out, since a spread costs as much as the rest of a call.
    const timed: Timed = { method, waiting, resolve, reject, until, last, alarm, abort: undefined };
    this.#open.set(id, timed);
    alarm?.set(now, until);
    if (signal === undefined) return;
    timed.abort = () => this.#clock.aborted(id, timed, signal);
    signal.addEventListener('abort', timed.abort, { once: true });
  }

  /** Takes a request off the list. */
  take(id: RequestId): OpenRequest | undefined {
    const timed = this.#open.get(id);
    if (timed === undefined) return undefined;
    this.#open.delete(id);
    if (timed.alarm !== undefined) this.#calm(timed.alarm);
    if (timed.abort !== undefined) timed.waiting.signal?.removeEventListener('abort', timed.abort);
    return timed;
  }

  #calm(alarm: Alarm): void {
    this.#hurried -= 1;
    if (this.#shared === undefined) alarm.stop();
    else if (this.#hurried === 0) alarm.rest();
  }

  /** Takes all requests off the list, because none will be answered. */
  rejectAll(reason: Error): void {
    for (const id of Array.from(this.#open.keys())) this.take(id)?.reject(reason);
    this.#shared?.stop();
  }

  /** Progress gives a request more time, up to its limit. */
  progress({ progressToken, progress, total, message }: Params): void {
    const timed = isId(progressToken) ? this.#open.get(progressToken) : undefined;
    if (timed === undefined || typeof progress !== 'number') return;
    timed.until = Math.min(performance.now() + timed.waiting.timeoutMs, timed.last);
    if (typeof timed.waiting.progress !== 'function') return;
    timed.waiting.progress({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  /** Somebody's time may be up. Those who have more are waited for again. */
  #ring(): void {
    const now = performance.now();
    const late: RequestId[] = [];
    for (const [id, timed] of this.#open) {
      if (timed.until <= now && this.#clock.isStopped()) {
        timed.until = Math.min(now + timed.waiting.timeoutMs, timed.last);
      }
      if (timed.until <= now) late.push(id);
      else timed.alarm?.set(now, timed.until);
    }
    for (const id of late) {
      const timed = this.#open.get(id);
      if (timed !== undefined) this.#clock.timeUp(id, timed);
    }
  }
}

/**
 * One timer for many moments: it rings at the first of them, or earlier. Most requests are answered long before, and a timer
 * for each would be set only to be cleared.
 */
class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  #rests = false;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Sees to it that it rings at this moment at the latest. */
  set(now: number, at: number): void {
    if (at < this.#at) {
      clearTimeout(this.#timer);
      this.#at = at;
      this.#rests = false;
      this.#timer = setTimeout(() => {
        this.stop();
        this.#ring();
      }, at - now);
    } else if (this.#rests) {
      this.#rests = false;
      this.#timer?.ref?.();
    }
  }

  /** Nobody waits at the moment: lets the process end, but another request may come at once. */
  rest(): void {
    if (this.#timer?.unref === undefined) return this.stop();
    this.#rests = true;
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = Number.POSITIVE_INFINITY;
    this.#rests = false;
  }
}

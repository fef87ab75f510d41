import { isId, type Params, type RequestId } from '../jsonrpc/message.ts';
import type { Result } from '../protocol/results.ts';

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
  timer: NodeJS.Timeout | undefined;
  /** When the time is up, unless there is progress. */
  until: number;
  /** When it is up in any case. */
  last: number;
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

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: RequestId, request: OpenRequest): void {
    const { signal, timeoutMs, maxTimeoutMs } = request.waiting;
    const now = performance.now();
    const last = now + maxTimeoutMs;
    const until = Math.min(now + timeoutMs, last);
    const timed: Timed = { ...request, timer: undefined, until, last, abort: undefined };
    this.#open.set(id, timed);
    this.#wind(id, timed, until - now);
    if (signal === undefined) return;
    timed.abort = () => this.#clock.aborted(id, timed, signal);
    signal.addEventListener('abort', timed.abort, { once: true });
  }

  /** Takes a request off the list. */
  take(id: RequestId): OpenRequest | undefined {
    const timed = this.#open.get(id);
    if (timed === undefined) return undefined;
    this.#open.delete(id);
    clearTimeout(timed.timer);
    if (timed.abort !== undefined) timed.waiting.signal?.removeEventListener('abort', timed.abort);
    return timed;
  }

  /** Takes all requests off the list, because none will be answered. */
  rejectAll(reason: Error): void {
    for (const id of Array.from(this.#open.keys())) this.take(id)?.reject(reason);
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

  #wind(id: RequestId, timed: Timed, milliseconds: number): void {
    if (milliseconds < longest) timed.timer = setTimeout(() => this.#ring(id, timed), milliseconds);
  }

  #ring(id: RequestId, timed: Timed): void {
    const now = performance.now();
    if (this.#clock.isStopped()) timed.until = Math.min(now + timed.waiting.timeoutMs, timed.last);
    if (timed.until > now) this.#wind(id, timed, timed.until - now);
    else this.#clock.timeUp(id, timed);
  }
}

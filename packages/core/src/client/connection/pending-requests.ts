import { isId, type Params, type RequestId } from '../../jsonrpc/message.ts';
import type { Result } from '../../protocol/results.ts';
import { inWorkers } from '../../runtime/kind.ts';
import { whenAborted } from '../abort-signals.ts';

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
export interface OpenRequest extends Timed {
  readonly method: string;
  readonly waiting: Waiting;
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** What the list of open requests keeps with each of them. */
export interface Timed {
  /** When it was sent. */
  since: number;
  /** When there was progress, if there was. */
  progressAt: number | undefined;
  /** Absent where no timer can wait so long: that moment never comes. */
  alarm: Alarm | undefined;
  /** Ends the waiting for its signal. */
  release: (() => void) | undefined;
}

/** What is known of the time of a request before it is open. */
export const untimed: Readonly<Timed> = { since: 0, progressAt: undefined, alarm: undefined, release: undefined };

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
  readonly #open = new Map<RequestId, OpenRequest>();
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

  add(id: RequestId, request: OpenRequest): void {
    const { signal, timeoutMs, maxTimeoutMs } = request.waiting;
    const now = performance.now();
    const wait = Math.min(timeoutMs, maxTimeoutMs);
    request.since = now;
    this.#open.set(id, request);
    if (wait < longest) {
      const alarm = this.#shared ?? this.#newAlarm();
      request.alarm = alarm;
      this.#hurried += 1;
      alarm.set(now, now + wait);
    }
    if (signal === undefined) return;
    request.release = whenAborted(signal, () => this.#clock.aborted(id, request, signal));
  }

  /** Takes a request off the list. */
  take(id: RequestId): OpenRequest | undefined {
    const request = this.#open.get(id);
    if (request === undefined) return undefined;
    this.#open.delete(id);
    if (request.alarm !== undefined) this.#calm(request.alarm);
    request.release?.();
    return request;
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
    const request = isId(progressToken) ? this.#open.get(progressToken) : undefined;
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
  #ring(): void {
    const now = performance.now();
    const late: RequestId[] = [];
    for (const [id, request] of this.#open) {
      if (request.alarm === undefined) continue;
      if (endOf(request) <= now && this.#clock.isStopped()) request.progressAt = now;
      const end = endOf(request);
      if (end <= now) late.push(id);
      else request.alarm.set(now, end);
    }
    for (const id of late) {
      const request = this.#open.get(id);
      if (request !== undefined) this.#clock.timeUp(id, request);
    }
  }
}

/** When the time of a request is up, unless there is progress. */
function endOf({ since, progressAt = since, waiting }: OpenRequest): number {
  return Math.min(progressAt + waiting.timeoutMs, since + waiting.maxTimeoutMs);
}

/**
 * One timer for many moments: it rings at the first of them, or earlier. Most requests are answered long before, and a timer
 * for each would be set only to be cleared.
 */
export class Alarm {
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

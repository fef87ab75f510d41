import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import type { HttpCaller } from './callers.ts';

/** The time slice of a caller in each turn of the event loop, and of all callers from one address, in milliseconds. */
const sliceMs = 0.5;
const addressSliceMs = 4;
/** The time slice of a single caller: another one is not seen before the turn is over. */
const singleMs = 10;
/** One in this many requests of a single caller is timed: timing costs more than the rest of this file. */
const untimedRequests = 4;
/** The number of callers from one address that may send a request each before they are timed. */
const untimedCallers = 64;
/** Queued requests may extend a turn by this many milliseconds. */
const maxTurnMs = 4;
/** With a longer queue there is a pause between two turns, so that the process is not busy all the time. */
const longQueue = 16;
const pauseMs = 1;
/** Time after which one of several callers counts as single again. */
const severalMs = 10 * 1000;

/**
 * Schedules requests fairly between callers. Requests of a single caller run immediately, in turns of the event loop that
 * are short enough to notice another caller. Of several callers, each runs immediately within its time slice of a turn; what
 * exceeds it is queued and served round-robin in later turns. A caller with few requests never waits for one with many.
 */
export class FairScheduler {
  #turn = 1;
  #scheduled = false;
  #queued = new Set<HttpCaller>();
  /** The caller of the last request. */
  #last: HttpCaller | undefined;
  /** True while there is more than one caller. */
  #hasSeveral = false;
  /** True when a second caller was seen in this turn. */
  #sawSecond = false;
  /** When this turn began, by the first request in it. */
  #began = 0;
  #severalUntil = 0;
  /** Requests of a single caller since a turn was timed. */
  #untimed = 0;
  readonly #now: () => number;
  readonly #runBatch: (serve: () => void) => void;

  /** `runBatch` wraps the run of several queued requests. */
  constructor(now: () => number = () => performance.now(), runBatch = (serve: () => void): void => serve()) {
    this.#now = now;
    this.#runBatch = runBatch;
  }

  /**
   * True if a request runs immediately: its caller is single and the turn is short so far, or it is the caller's first
   * in this turn. It runs for every request, so it allocates nothing.
   */
  runsImmediately(caller: HttpCaller): boolean {
    if (caller !== this.#last) {
      this.#sawSecond = this.#hasSeveral = this.#last !== undefined;
      this.#last = caller;
    }
    if (!this.#hasSeveral) return this.#mayContinue(caller);
    this.#schedule();
    const isFirst = this.#requestsOf(caller) === 1 && caller.queue === undefined;
    const { within } = caller;
    return within?.scope === 'address' ? this.#requestsOf(within) <= untimedCallers && isFirst : isFirst;
  }

  /** True if a single caller need not wait for the next turn. Its requests are never rejected for a full queue. */
  #mayContinue(caller: HttpCaller): boolean {
    if (!this.#scheduled) {
      this.#untimed += 1;
      if (this.#untimed < untimedRequests) return true;
      this.#untimed = 0;
      this.#schedule();
      this.#began = this.#now();
      return true;
    }
    const inTime = caller.queue === undefined && this.#now() - this.#began < singleMs;
    return inTime || caller.full('waiting') !== undefined;
  }

  /** Runs a request now where its caller has time left, else in a later turn. */
  schedule(caller: HttpCaller, work: () => Awaitable<void>): Awaitable<void> {
    if (caller.queue === undefined && this.#hasTime(caller)) return this.#run(caller, work);
    return new Promise((resolve, reject) => {
      caller.take('waiting');
      caller.queue ??= [];
      caller.queue.push(() => {
        caller.release('waiting');
        try {
          resolve(this.#run(caller, work));
        } catch (error) {
          reject(error);
        }
      });
      this.#queued.add(caller);
    });
  }

  /** Counts a request. Returns how many there were in this turn. */
  #requestsOf(caller: HttpCaller): number {
    if (caller.turn !== this.#turn) this.#begin(caller);
    caller.requests += 1;
    return caller.requests;
  }

  #begin(caller: HttpCaller): void {
    caller.turn = this.#turn;
    caller.requests = 0;
    caller.servedMs = 0;
  }

  #run(caller: HttpCaller, work: () => Awaitable<void>): Awaitable<void> {
    const began = this.#now();
    try {
      return work();
    } finally {
      const ms = this.#now() - began;
      for (let each: HttpCaller | undefined = caller; each !== undefined; each = each.within) {
        if (each.turn !== this.#turn) this.#begin(each);
        each.servedMs += ms;
      }
    }
  }

  #hasTime(caller: HttpCaller): boolean {
    for (let each: HttpCaller | undefined = caller; each !== undefined; each = each.within) {
      if (each.turn === this.#turn && each.servedMs >= this.#sliceOf(each)) return false;
    }
    return true;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (this.#hasSeveral && this.#queued.size > 0 && this.#hasLongQueue()) setTimeout(this.#nextTurn, pauseMs);
    else setImmediate(this.#nextTurn);
  }

  #hasLongQueue(): boolean {
    for (const { queue } of this.#queued) if (queue !== undefined && queue.length > longQueue) return true;
    return false;
  }

  readonly #nextTurn = (): void => {
    this.#turn += 1;
    this.#scheduled = false;
    const now = this.#now();
    if (this.#sawSecond) this.#severalUntil = now + severalMs;
    this.#sawSecond = false;
    this.#began = now;
    if (this.#queued.size === 0) {
      this.#hasSeveral = this.#severalUntil > now;
      return;
    }
    this.#runBatch(() => this.#serveRound(now + (this.#hasSeveral ? maxTurnMs : singleMs)));
    if (this.#queued.size > 0) this.#schedule();
  };

  #serveRound(end: number): void {
    const round = this.#queued;
    const unfinished = new Set<HttpCaller>();
    this.#queued = unfinished;
    for (const caller of round) {
      round.delete(caller);
      this.#serveQueue(caller);
      if (caller.queue !== undefined) unfinished.add(caller);
      if (this.#now() >= end) break;
    }
    // Callers that were not served are the first in the next round.
    this.#queued = new Set([...round, ...unfinished]);
  }

  #serveQueue(caller: HttpCaller): void {
    const queue = caller.queue as (() => void)[];
    while (queue.length > 0 && this.#hasTime(caller)) queue.shift()?.();
    if (queue.length === 0) caller.queue = undefined;
  }

  #sliceOf({ scope }: HttpCaller): number {
    if (!this.#hasSeveral) return singleMs;
    if (scope === 'caller') return sliceMs;
    return scope === 'address' ? addressSliceMs : Number.POSITIVE_INFINITY;
  }
}

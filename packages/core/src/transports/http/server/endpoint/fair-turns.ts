import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { limits } from '../../../../limits.ts';
import type { HttpCaller } from './callers.ts';

/** In each turn of the event loop a caller is served for so long, and all callers from an address for so long, in ms. */
const sliceMs = 0.5;
const addressSliceMs = 4;
/** A caller who is alone is served for so long: whoever else has come is not seen before the turn is over. */
const aloneMs = 10;
/** Of so many requests of theirs one is timed: to time a turn costs more than all else here. */
const untimedAlone = 4;
/** So many callers from one address send a request each before anybody looks at the clock. */
const unwatched = 64;
/** So long a turn may be lengthened by what waits. */
const roundMs = 4;
/** Who has more waiting than that gets a pause between two turns, so that the process is not busy all of the time. */
const floodLength = 16;
const pauseMs = 1;
/** So long after two callers were seen, one of them is not taken to be alone. */
const companyMs = limits.http.companyMs.value;

/**
 * Lets everybody be served soon, however much one caller sends. A caller who is alone is served at once, in turns that
 * are short enough for somebody else to be seen. Where there are several, each is served at once as far as their slice of
 * a turn goes; what they send beyond that waits for later turns, in which all who wait are served one after the other. Who
 * sends little never waits behind who sends much.
 */
export class FairTurns {
  #turn = 1;
  #scheduled = false;
  #waiting = new Set<HttpCaller>();
  /** Who sent the last request. */
  #last: HttpCaller | undefined;
  /** True where there is more than one caller. */
  #company = false;
  /** True where a second one was seen in this turn. */
  #seen = false;
  /** When this turn began, by the first request in it. */
  #began = 0;
  #companyUntil = 0;
  /** Requests of a caller who is alone since a turn was timed. */
  #untimed = 0;
  readonly #now: () => number;
  readonly #together: (serve: () => void) => void;

  /** `together` runs what serves several requests one after the other. */
  constructor(now: () => number = () => performance.now(), together = (serve: () => void): void => serve()) {
    this.#now = now;
    this.#together = together;
  }

  /**
   * True where a request is to be served at once: its caller is alone and the turn is not long yet, or they have sent no
   * other in this turn. It is asked of every request, so it makes nothing.
   */
  atOnce(caller: HttpCaller): boolean {
    if (caller !== this.#last) {
      this.#seen = this.#company = this.#last !== undefined;
      this.#last = caller;
    }
    if (!this.#company) return this.#goesOn(caller);
    this.#schedule();
    const isFirst = this.#requestsOf(caller) === 1 && caller.queue === undefined;
    const { within } = caller;
    return within?.scope === 'address' ? this.#requestsOf(within) <= unwatched && isFirst : isFirst;
  }

  /** True where a caller who is alone need not wait for the next turn. They are never refused for what waits. */
  #goesOn(caller: HttpCaller): boolean {
    if (!this.#scheduled) {
      this.#untimed += 1;
      if (this.#untimed < untimedAlone) return true;
      this.#untimed = 0;
      this.#schedule();
      this.#began = this.#now();
      return true;
    }
    const inTime = caller.queue === undefined && this.#now() - this.#began < aloneMs;
    return inTime || caller.full('waiting') !== undefined;
  }

  /** Serves a request that is not served at once all the same: now, where its caller has time left, or in a later turn. */
  serve(caller: HttpCaller, work: () => Awaitable<void>): Awaitable<void> {
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
      this.#waiting.add(caller);
    });
  }

  /** Counts a request, and gives how many there were in this turn. */
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
    if (this.#flooded()) setTimeout(this.#nextTurn, pauseMs);
    else setImmediate(this.#nextTurn);
  }

  #flooded(): boolean {
    if (!this.#company) return false;
    for (const { queue } of this.#waiting) if (queue !== undefined && queue.length > floodLength) return true;
    return false;
  }

  readonly #nextTurn = (): void => {
    this.#turn += 1;
    this.#scheduled = false;
    const now = this.#now();
    if (this.#seen) this.#companyUntil = now + companyMs;
    this.#seen = false;
    this.#began = now;
    if (this.#waiting.size === 0) {
      this.#company = this.#companyUntil > now;
      return;
    }
    this.#together(() => this.#serveRound(now + (this.#company ? roundMs : aloneMs)));
    if (this.#waiting.size > 0) this.#schedule();
  };

  #serveRound(end: number): void {
    const round = this.#waiting;
    const later = new Set<HttpCaller>();
    this.#waiting = later;
    for (const caller of round) {
      round.delete(caller);
      this.#serveWaiting(caller);
      if (caller.queue !== undefined) later.add(caller);
      if (this.#now() >= end) break;
    }
    // Who did not get their turn is the first in the next one.
    this.#waiting = new Set([...round, ...later]);
  }

  #serveWaiting(caller: HttpCaller): void {
    const queue = caller.queue as (() => void)[];
    while (queue.length > 0 && this.#hasTime(caller)) queue.shift()?.();
    if (queue.length === 0) caller.queue = undefined;
  }

  #sliceOf({ scope }: HttpCaller): number {
    if (!this.#company) return aloneMs;
    if (scope === 'caller') return sliceMs;
    return scope === 'address' ? addressSliceMs : Number.POSITIVE_INFINITY;
  }
}

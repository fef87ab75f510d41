import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { limits } from '../../../../limits.ts';
import { letEnd, nextTurn } from '../../../../runtime/timers.ts';
import { withTimeout } from '../../../../server/call/with-timeout.ts';
import { StoreCircuitBreaker } from '../../../../server/quotas/store-circuit-breaker.ts';
import type { Shareable, SharedPlaces, Usage } from '../../../../server/quotas/quota.ts';
import type { Life, Store } from '../../../../stores/store.ts';

/** An instance takes so many of a caller's places at a time: one of so many parts of the quota. */
const parts = 16;
const kinds: readonly Shareable[] = ['calls', 'streams'];
const idleMs = limits.server.idleShareMs.value;
const keptMs = limits.http.idlePlacesMs.value;
const lifeMs = limits.http.placesMs.value;

/**
 * What callers may have in all instances together. Each instance takes places of a caller's quota as it needs them, some at a
 * time, and gives back what it does not use; those of an instance that is gone come back by themselves.
 */
export class PlaceKeeper {
  readonly store: Store;
  /** By which this instance is known to the store. */
  readonly holder: string = crypto.randomUUID();
  readonly doubt = new StoreCircuitBreaker();
  readonly #held = new Set<CallerPlaces>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store) {
    this.store = store;
  }

  /** Lets a caller's quota be one of all instances, where there is one. */
  share(usage: Usage): void {
    if (usage.scope === 'server' || kinds.every((kind) => usage.quota[kind] === Number.POSITIVE_INFINITY)) return;
    usage.places = new CallerPlaces(this, usage);
  }

  keep(places: CallerPlaces): void {
    this.#held.add(places);
    this.#timer ??= letEnd(setInterval(() => this.#look(), idleMs));
  }

  /** Gives all places back. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all(Array.from(this.#held, (places) => places.leave()));
    this.#held.clear();
  }

  #look(): void {
    for (const places of this.#held) if (!places.look()) this.#held.delete(places);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The places of one caller's quota that this instance has. */
class CallerPlaces implements SharedPlaces {
  calls = 0;
  streams = 0;
  touched = true;
  readonly #keeper: PlaceKeeper;
  readonly #usage: Usage;
  readonly #asking = new Map<Shareable, Promise<boolean>>();
  /** How many came while others were asked for. */
  readonly #queued = { calls: 0, streams: 0 };
  #touchedAt = 0;
  #saidAt = 0;

  constructor(keeper: PlaceKeeper, usage: Usage) {
    this.#keeper = keeper;
    this.#usage = usage;
  }

  grow(what: Shareable): Awaitable<boolean> {
    const asking = this.#asking.get(what);
    if (asking !== undefined) {
      this.#queued[what] += 1;
      return asking;
    }
    this.#keeper.keep(this);
    const answer = this.#say(what, this.#usage[what] + Math.max(1, this.#spare(what), this.#queued[what]));
    this.#queued[what] = 0;
    if (!(answer instanceof Promise)) return answer;
    const asked = answer.finally(() => {
      this.#asking.delete(what);
      // Who came meanwhile asks at once, or needs nothing more: what is held for nobody, others lack.
      void nextTurn().then(() => (this.#queued[what] = 0));
    });
    this.#asking.set(what, asked);
    return asked;
  }

  /** Gives back what is not used, and says that this instance is still there. False where it has nothing any more. */
  look(): boolean {
    const now = performance.now();
    if (this.touched) this.#touchedAt = now;
    this.touched = false;
    const isIdle = now - this.#touchedAt >= keptMs;
    const isDue = now - this.#saidAt >= lifeMs / 4;
    for (const kind of kinds) {
      const used = this.#usage[kind];
      const spare = isIdle ? 0 : this.#spare(kind);
      if (this[kind] === 0 || this.#asking.has(kind)) continue;
      if (this[kind] > used + spare || isDue) void this.#say(kind, Math.min(Math.max(used, this[kind]), used + spare));
    }
    return this.calls > 0 || this.streams > 0 || this.#asking.size > 0 || !isIdle;
  }

  async leave(): Promise<void> {
    for (const kind of kinds) if (this[kind] > 0) await this.#say(kind, 0);
  }

  /** Says how many places this instance wants. True where it has more than it uses then. */
  #say(what: Shareable, wanted: number): Awaitable<boolean> {
    const max = this.#usage.quota[what];
    if (max === Number.POSITIVE_INFINITY) return this.#have(what, max);
    const { doubt } = this.#keeper;
    this.#saidAt = performance.now();
    // Where the store can't be asked, the quota holds for this instance alone.
    if (doubt.isAway && !doubt.isDue(this.#saidAt)) return this.#have(what, max);
    const isBeside = doubt.isAway && doubt.isSilent;
    const answer = this.#ask(what, Math.min(wanted, max), max);
    return isBeside ? this.#have(what, max) : answer;
  }

  #ask(what: Shareable, wanted: number, max: number): Awaitable<boolean> {
    const { store, holder, doubt } = this.#keeper;
    const { scope, key } = this.#usage;
    const since = performance.now();
    const hear = (held: number): boolean => {
      doubt.answered();
      return this.#have(what, held);
    };
    const fail = (): boolean => {
      doubt.failed(performance.now(), since);
      return this.#have(what, max);
    };
    try {
      const answer = store.hold(`places/${what}/${scope}/${key}`, holder, { wanted, max }, life);
      return answer instanceof Promise ? withTimeout(answer).then(hear, fail) : hear(answer);
    } catch {
      return fail();
    }
  }

  #have(what: Shareable, held: number): boolean {
    this[what] = held;
    return held > this.#usage[what];
  }

  /** So much may be kept for a while though it is not used: others hardly miss it. */
  #spare(what: Shareable): number {
    return Math.floor(this.#usage.quota[what] / parts);
  }
}

const life: Life = { ttlMs: lifeMs, kind: 'places', limit: limits.http.callers.value * 2 };

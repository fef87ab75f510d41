import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import { unref, nextTurn } from '../../runtime/timers.ts';
import { StoreCircuitBreaker } from '../rate-limit/store-circuit-breaker.ts';
import type { Shareable, SharedLease, Usage } from './quota.ts';
import type { Life, Store } from '../../stores/store.ts';
import { idleMs } from '../rate-limit/shared-rates.ts';

/** Maximum number of cached callers without a lease. */
const maxCallers = 10_000;

/** An instance leases a caller's quota in shares of this number. */
const shares = 16;
const kinds: readonly Shareable[] = ['calls', 'streams'];
/** How long an instance keeps the share of an idle caller. */
const idleLeaseMs = 10 * 1000;
/** Time after which the lease of an instance that does not renew it expires. */
const leaseMs = 15 * 1000;

/**
 * Quotas of callers that hold over all instances. Each instance leases a caller's quota in shares as it needs them, and
 * returns what it does not use. The leases of a crashed instance expire.
 */
export class SharedQuotas {
  readonly store: Store;
  /** The name of this instance in the store. */
  readonly holder: string = crypto.randomUUID();
  readonly breaker = new StoreCircuitBreaker();
  readonly #leases = new Set<QuotaLease>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store) {
    this.store = store;
  }

  /** Makes the quota of a caller hold over all instances. */
  share(usage: Usage): void {
    if (usage.scope === 'server' || kinds.every((kind) => usage.quota[kind] === Number.POSITIVE_INFINITY)) return;
    usage.lease = new QuotaLease(this, usage);
  }

  keep(lease: QuotaLease): void {
    this.#leases.add(lease);
    this.#timer ??= unref(setInterval(() => this.#renewAll(), idleMs));
  }

  /** Returns all leases. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all(Array.from(this.#leases, (lease) => lease.release()));
    this.#leases.clear();
  }

  #renewAll(): void {
    for (const lease of this.#leases) if (!lease.renew()) this.#leases.delete(lease);
    if (this.#leases.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The part of one caller's quota that this instance has leased. */
class QuotaLease implements SharedLease {
  calls = 0;
  streams = 0;
  touched = true;
  readonly #quotas: SharedQuotas;
  readonly #usage: Usage;
  readonly #pending = new Map<Shareable, Promise<boolean>>();
  /** Requests that arrived while the store was asked for a larger lease. */
  readonly #queued = { calls: 0, streams: 0 };
  #touchedAt = 0;
  #renewedAt = 0;

  constructor(quotas: SharedQuotas, usage: Usage) {
    this.#quotas = quotas;
    this.#usage = usage;
  }

  grow(what: Shareable): Awaitable<boolean> {
    const asking = this.#pending.get(what);
    if (asking !== undefined) {
      this.#queued[what] += 1;
      return asking;
    }
    this.#quotas.keep(this);
    const answer = this.#request(what, this.#usage[what] + Math.max(1, this.#spare(what), this.#queued[what]));
    this.#queued[what] = 0;
    if (!(answer instanceof Promise)) return answer;
    const asked = answer.finally(() => {
      this.#pending.delete(what);
      // Requests that arrived meanwhile try again immediately; other instances need what is not used here.
      void nextTurn().then(() => (this.#queued[what] = 0));
    });
    this.#pending.set(what, asked);
    return asked;
  }

  /** Renews the lease, and returns what is not used. False if nothing is left. */
  renew(): boolean {
    const now = performance.now();
    if (this.touched) this.#touchedAt = now;
    this.touched = false;
    const isIdle = now - this.#touchedAt >= idleLeaseMs;
    const isDue = now - this.#renewedAt >= leaseMs / 4;
    for (const kind of kinds) {
      const used = this.#usage[kind];
      const spare = isIdle ? 0 : this.#spare(kind);
      if (this[kind] === 0 || this.#pending.has(kind)) continue;
      if (this[kind] > used + spare || isDue)
        void this.#request(kind, Math.min(Math.max(used, this[kind]), used + spare));
    }
    return this.calls > 0 || this.streams > 0 || this.#pending.size > 0 || !isIdle;
  }

  async release(): Promise<void> {
    for (const kind of kinds) if (this[kind] > 0) await this.#request(kind, 0);
  }

  /** Requests a larger lease from the store. True if it then exceeds the usage. */
  #request(what: Shareable, wanted: number): Awaitable<boolean> {
    const max = this.#usage.quota[what];
    if (max === Number.POSITIVE_INFINITY) return this.#grant(what, max);
    const { store, holder, breaker } = this.#quotas;
    const { scope, key } = this.#usage;
    this.#renewedAt = performance.now();
    return breaker.request({
      send: () =>
        store.leaseQuota(`quota/${what}/${scope}/${key}`, holder, { wanted: Math.min(wanted, max), max }, life),
      onAnswer: (held) => this.#grant(what, held),
      // Without the store, each instance has the whole quota.
      fallback: () => this.#grant(what, max),
    });
  }

  #grant(what: Shareable, held: number): boolean {
    this[what] = held;
    return held > this.#usage[what];
  }

  /** The unused part of the lease that is kept for later requests. */
  #spare(what: Shareable): number {
    return Math.floor(this.#usage.quota[what] / shares);
  }
}

const life: Life = { ttlMs: leaseMs, kind: 'quota', limit: maxCallers * 2 };

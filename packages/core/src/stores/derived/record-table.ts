import type { RecordLimits, StoreDriver } from '../driver.ts';
import type { Fields, Life } from '../store.ts';
import { type DerivedRecord, decodeRecord, encodeRecord, type FoundRecord, labelsOf, newRecord } from './record.ts';

/** The longest lifetime: databases know no infinite time. */
const maxTtlMs = 10 * 365 * 24 * 3_600_000;

/** A change and its return value. */
export type Change<T> =
  | { result: T }
  | { result: T; write: DerivedRecord; ttlMs: number }
  | { result: T; create: Fields; life: Life; whenFull: T }
  | { result: T; remove: true };

/** Records over the get, compare-and-set and delete of a driver. */
export class RecordTable {
  readonly #driver: StoreDriver;
  readonly #limits: RecordLimits;
  readonly #lock = new KeyLock();

  constructor(driver: StoreDriver, limits: RecordLimits) {
    this.#driver = driver;
    this.#limits = limits;
  }

  /** Finds a record; with a lifetime, extends it. */
  async find(key: string, ttlMs?: number): Promise<FoundRecord | undefined> {
    const found = await this.#driver.get(key, ttlMs === undefined ? undefined : clampTtl(ttlMs));
    return found && decodeRecord(found);
  }

  /** Computes a change from the current record, and retries on a conflict. */
  change<T>(key: string, decide: (found: FoundRecord | undefined) => Change<T> | Promise<Change<T>>): Promise<T> {
    return this.#lock.run(key, () =>
      retryConflicts(async () => {
        const found = await this.find(key);
        return this.#apply(key, found, await decide(found));
      }),
    );
  }

  async #apply<T>(key: string, found: FoundRecord | undefined, change: Change<T>): Promise<T | typeof conflict> {
    if ('remove' in change) {
      return (await this.#driver.delete(key, found?.version)) ? change.result : conflict;
    }
    if ('create' in change) {
      const record = newRecord(change.create, change.life);
      if (!(await this.#limits.reserve(key, labelsOf(record), change.life))) return change.whenFull;
      // A record that is replaced loses its log with it.
      if (found !== undefined) await this.#driver.delete(key, found.version);
      return (await this.#set(key, undefined, record, change.life.ttlMs)) ? change.result : conflict;
    }
    if ('write' in change) {
      if (!(await this.#set(key, found?.version, change.write, change.ttlMs))) return conflict;
      if (change.write.hasRoom) await this.#limits.resize?.(key, labelsOf(change.write));
    }
    return change.result;
  }

  async #set(key: string, version: string | undefined, record: DerivedRecord, ttlMs: number): Promise<boolean> {
    const written = { ...record, ttlMs: clampTtl(ttlMs) };
    const options = { ttlMs: written.ttlMs, labels: labelsOf(record) };
    return (await this.#driver.compareAndSet(key, version, encodeRecord(written), options)) !== undefined;
  }
}

function clampTtl(ttlMs: number): number {
  return Math.min(Math.max(ttlMs, 0), maxTtlMs);
}

/** Runs work on the same key one after the other, so that an instance does not compete with itself. */
export class KeyLock {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const running = before === undefined ? work() : before.then(work, work);
    this.#last.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }
}

/** The longest delay between two attempts, in milliseconds. */
const maxDelayMs = 50;

/** A sentinel: the value changed in between, so the attempt is repeated. */
export const conflict: unique symbol = Symbol('conflict');

/** Repeats an attempt until it meets no conflict, with a random backoff. */
export async function retryConflicts<T>(attempt: () => Promise<T | typeof conflict>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const result = await attempt();
    if (result !== conflict) return result;
    if (tries > 0) await backoff(Math.random() * Math.min(2 ** tries, maxDelayMs));
  }
}

function backoff(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

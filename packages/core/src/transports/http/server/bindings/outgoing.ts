import { limits } from '../../../../limits.ts';
import { letEnd } from '../../../../runtime/timers.ts';

/** Where something waits for a client to read it: a connection. */
export interface Unread {
  /** How much waits, in bytes or characters. */
  readonly unsent: number;
  /** How much the client took so far: the same number again means that it took nothing meanwhile. */
  readonly taken: number;
  /** Where the client is, if that is known. */
  readonly address?: string | undefined;
  /** Cuts the connection: what waits is lost. */
  cut(): void;
}

/** How much may wait for clients to read it, and how long one may take nothing of it. */
export interface OutgoingOptions {
  /** For all clients together, in bytes. */
  max?: number | undefined;
  /** In milliseconds. */
  stalledMs?: number | undefined;
}

/** What was seen of a connection when it was looked at last. */
interface Seen {
  unsent: number;
  taken: number;
  /** When the client last took something. */
  since: number;
}

/** A client that took something within this time is cut off neither for its slowness nor to make room. */
const patienceMs = 1000;
/** The same where its address holds more than a quarter of all that may wait, and others need the room. */
const greedyPatienceMs = 100;

/**
 * What waits for clients to read it, over all connections of a handler. A client that takes nothing for too long is cut
 * off; where all together wait for too much, those are that hold most and have taken nothing for longest.
 */
export class Outgoing {
  readonly #unread = new Map<Unread, Seen>();
  readonly #max: number;
  readonly #stalledMs: number;
  /** As it was at the last look, and what came since. What was read since is still in it. */
  #unsent = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutgoingOptions = {}) {
    this.#max = options.max ?? limits.http.unsentInAll.value;
    this.#stalledMs = options.stalledMs ?? limits.http.stalledMs.value;
  }

  /** How many connections are watched. */
  get size(): number {
    return this.#unread.size;
  }

  /** True where too much waits, also after those were cut off who take nothing. */
  get full(): boolean {
    if (this.#unsent <= this.#max) return false;
    this.#look();
    this.#makeRoom();
    return this.#unsent > this.#max;
  }

  /** Watches a connection on which something was left to be read, until that is done. */
  watch(unread: Unread): void {
    const { unsent } = unread;
    const seen = this.#unread.get(unread);
    if (seen === undefined) {
      this.#unread.set(unread, { unsent, taken: unread.taken, since: performance.now() });
      this.#unsent += unsent;
    } else {
      this.#unsent += unsent - seen.unsent;
      seen.unsent = unsent;
    }
    if (this.#unsent > this.#max) {
      this.#look();
      this.#makeRoom();
    }
    this.#timer ??= letEnd(setInterval(() => this.#sweep(), Math.min(patienceMs, this.#stalledMs / 2)));
  }

  /** Forgets everything. */
  clear(): void {
    this.#unread.clear();
    this.#unsent = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    this.#look();
    const now = performance.now();
    for (const [unread, { since }] of this.#unread) if (now - since >= this.#stalledMs) this.#cut(unread);
    if (this.#unread.size === 0) this.clear();
  }

  /** Looks at all connections anew. */
  #look(): void {
    const now = performance.now();
    this.#unsent = 0;
    for (const [unread, seen] of this.#unread) {
      seen.unsent = unread.unsent;
      this.#unsent += seen.unsent;
      const { taken } = unread;
      if (seen.unsent === 0) this.#unread.delete(unread);
      else if (taken !== seen.taken) Object.assign(seen, { taken, since: now });
    }
  }

  #makeRoom(): void {
    if (this.#unsent <= this.#max) return;
    const now = performance.now();
    const held = new Map<string | undefined, number>();
    for (const [{ address }, { unsent }] of this.#unread) held.set(address, (held.get(address) ?? 0) + unsent);
    const stalled = [...this.#unread].filter(([{ address }, { since }]) => {
      const isGreedy = address !== undefined && (held.get(address) ?? 0) > this.#max / 4;
      return now - since >= (isGreedy ? greedyPatienceMs : patienceMs);
    });
    stalled.sort(([, one], [, other]) => other.unsent * (now - other.since) - one.unsent * (now - one.since));
    for (const [unread] of stalled) {
      this.#cut(unread);
      if (this.#unsent <= this.#max) return;
    }
  }

  #cut(unread: Unread): void {
    this.#unsent -= this.#unread.get(unread)?.unsent ?? 0;
    this.#unread.delete(unread);
    unread.cut();
  }
}

/** Responses are delayed no longer than that, even if more requests of the turn are still to be served. */
const maxDelayMs = 1;

/**
 * Delays the responses of one turn of the event loop where something must be written before them, so that it is written once
 * for all of them. Otherwise nothing is delayed.
 */
export class PendingResponses {
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  /** Requests that have come and are served in the next turn. */
  expected = 0;
  /** Those of this turn that are still to be served. */
  #left = 0;
  #since = 0;
  /** True if a response must wait for `release`. */
  isHolding = false;
  readonly #writes = new Set<() => void>();
  #responses: (() => void)[] = [];

  constructor(report: (error: unknown) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  /** An expected request is about to be served. */
  begin(): void {
    if (this.#left > 0) return;
    this.#left = this.expected;
    this.expected = 0;
  }

  /** The request was served, or continues asynchronously. */
  end(): void {
    this.#left -= 1;
    if (this.isHolding && (this.#left === 0 || this.#isLate)) this.release();
  }

  /** Serves several requests as those of one turn. */
  runBatch(serve: () => void): void {
    this.#left += 1;
    try {
      serve();
    } finally {
      this.end();
    }
  }

  /** Runs `write` before the next response. False outside of a turn, where nothing would run it soon. */
  runBefore(write: () => void): boolean {
    if (this.#left === 0) return false;
    if (!this.isHolding) this.#since = this.#now();
    this.isHolding = true;
    this.#writes.add(write);
    return true;
  }

  /** Delays a response. */
  add(send: () => void): void {
    this.#responses.push(send);
    if (this.#isLate) this.release();
  }

  /** Runs what must be written first, and sends the responses. */
  release(): void {
    if (!this.isHolding) return;
    this.isHolding = false;
    const writes = [...this.#writes];
    this.#writes.clear();
    const responses = this.#responses;
    this.#responses = [];
    for (const run of writes) this.#attempt(run);
    for (const run of responses) this.#attempt(run);
  }

  get #isLate(): boolean {
    return this.#now() - this.#since > maxDelayMs;
  }

  /** A failure must not stop the others. */
  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#report(error);
    }
  }
}

/** Answers are held back no longer than that, even if more requests of the turn are to be served. */
const longestMs = 1;

/**
 * Holds back the answers of one turn of the event loop where something must be done before they go out, so that it is done
 * once for all of them. Where nothing must, nothing is held.
 */
export class HeldAnswers {
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  /** Requests that will be served in the next turn, and those of this one that are still to be served. */
  #expected = 0;
  #left = 0;
  #since = 0;
  readonly #before = new Set<() => void>();
  #held: (() => void)[] = [];

  constructor(report: (error: unknown) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#now = now;
  }

  /** A request has come that will be served when all are read that came with it. */
  expect(): void {
    this.#expected += 1;
  }

  /** A request that was expected is about to be served. */
  begin(): void {
    if (this.#left > 0) return;
    this.#left = this.#expected;
    this.#expected = 0;
  }

  /** It was served, or it goes on beyond this turn. */
  end(): void {
    this.#left -= 1;
    if (this.#before.size > 0 && (this.#left === 0 || this.#isLate)) this.release();
  }

  /** Serves several requests as those of one turn. */
  together(serve: () => void): void {
    this.#left += 1;
    try {
      serve();
    } finally {
      this.end();
    }
  }

  /** True where an answer must wait for `release`. */
  get holds(): boolean {
    return this.#before.size > 0;
  }

  /** Has something done before anything more goes out. False outside of a turn: nobody would do it soon. */
  before(write: () => void): boolean {
    if (this.#left === 0) return false;
    if (this.#before.size === 0) this.#since = this.#now();
    this.#before.add(write);
    return true;
  }

  /** Keeps an answer until then. */
  hold(send: () => void): void {
    this.#held.push(send);
    if (this.#isLate) this.release();
  }

  /** Does what must be done first, and sends what was held. */
  release(): void {
    if (this.#before.size === 0) return;
    const writes = [...this.#before];
    this.#before.clear();
    const held = this.#held;
    this.#held = [];
    for (const run of writes) this.#attempt(run);
    for (const run of held) this.#attempt(run);
  }

  get #isLate(): boolean {
    return this.#now() - this.#since > longestMs;
  }

  /** One that fails must not keep the others back. */
  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#report(error);
    }
  }
}

/** Answers are held back no longer than that, even if more requests of the turn are to be served. */
const longestMs = 1;

/**
 * Holds back the answers of one turn of the event loop where something must be done before they go out, so that it is done
 * once for all of them. Where nothing must, nothing is held.
 */
export class HeldAnswers {
  readonly #report: (error: unknown) => void;
  /** Requests that will be served in the next turn, and those of this one that are still to be served. */
  #expected = 0;
  #left = 0;
  #since = 0;
  readonly #before = new Set<() => void>();
  #held: (() => void)[] = [];

  constructor(report: (error: unknown) => void) {
    this.#report = report;
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
    if (this.#before.size === 0) return;
    if (this.#left === 0 || performance.now() - this.#since > longestMs) this.release();
  }

  /** True where an answer must wait for `release`. */
  get holds(): boolean {
    return this.#before.size > 0;
  }

  /** Has something done before anything more goes out. False outside of a turn: nobody would do it soon. */
  before(write: () => void): boolean {
    if (this.#left === 0) return false;
    if (this.#before.size === 0) this.#since = performance.now();
    this.#before.add(write);
    return true;
  }

  /** Keeps an answer until then. */
  hold(send: () => void): void {
    this.#held.push(send);
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

  /** One that fails must not keep the others back. */
  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#report(error);
    }
  }
}

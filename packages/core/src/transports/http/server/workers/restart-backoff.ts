import { limits } from '../../../../limits.ts';

/** So many workers may fail in a row; where none serves then, it is given up. */
const maxFailures = limits.http.workerFailures.value;
/** Who has served for so long has not failed at its start. */
const settledMs = limits.http.workerSettledMs.value;
const longestPauseMs = limits.http.workerPauseMs.value;
const firstPauseMs = 100;

/** What is known of a worker that has ended. */
export interface Ended {
  /** How long it has served; undefined where it never did. */
  servedMs: number | undefined;
  /** How many others serve. */
  others: number;
}

/** Says when a worker that ended is replaced, so that one which can't start does not spin. */
export class RestartBackoff {
  #failures = 0;

  /** The pause before the next one, in milliseconds; undefined where it makes no sense to go on. */
  delayAfter({ servedMs, others }: Ended): number | undefined {
    if (servedMs !== undefined && servedMs >= settledMs) this.#failures = 0;
    else this.#failures += 1;
    if (this.#failures === 0) return 0;
    if (this.#failures >= maxFailures && others === 0) return undefined;
    return Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
  }
}

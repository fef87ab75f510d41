import { limits } from '../../../../limits.ts';

/** How many workers may fail in a row; if none serves then, the service gives up. */
const maxFailures = limits.http.workerFailures.value;
/** A worker that served this long did not fail at its start. */
const settledMs = limits.http.workerSettledMs.value;
const longestPauseMs = limits.http.workerPauseMs.value;
const firstPauseMs = 100;

/** A worker that exited. */
export interface Ended {
  /** How long it served; undefined if it never did. */
  servedMs: number | undefined;
  /** How many other workers serve. */
  others: number;
}

/** Backoff for restarting workers, so that one that can't start does not spin. */
export class RestartBackoff {
  #failures = 0;

  /** The delay before the restart, in milliseconds; undefined if the service should give up. */
  delayAfter({ servedMs, others }: Ended): number | undefined {
    if (servedMs !== undefined && servedMs >= settledMs) this.#failures = 0;
    else this.#failures += 1;
    if (this.#failures === 0) return 0;
    if (this.#failures >= maxFailures && others === 0) return undefined;
    return Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
  }
}

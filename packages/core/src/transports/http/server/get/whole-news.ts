import { limits } from '../../../../limits.ts';
import { letEnd } from '../../../../runtime/timers.ts';

const handoverMs = limits.http.handoverMs.value;
const recoveryMs = limits.http.recoveryMs.value;

/** What is needed to make up for news that are missing. */
export interface WholeNewsOptions {
  /** The stream was begun before, maybe on another instance. */
  isResumed: boolean;
  /** Rejects as long as nothing can be kept. */
  attempt: () => Promise<unknown>;
  /** Tells the client that anything may have changed. */
  tellAll: () => void;
}

/**
 * Sees to it that a client misses no news. Whoever kept them so far says when they are handed over; where nobody does,
 * because that instance is gone or had stopped keeping them, or where some could not be kept, the client is told to look again.
 */
export class WholeNews {
  readonly #options: WholeNewsOptions;
  #state: 'whole' | 'awaited' | 'losing';
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: WholeNewsOptions) {
    this.#options = options;
    this.#state = options.isResumed ? 'awaited' : 'whole';
  }

  /** True where nothing is missing, so that they can be handed on. */
  get areWhole(): boolean {
    return this.#state === 'whole';
  }

  /** True while there is no point in keeping anything: all of it is told later. */
  get areLost(): boolean {
    return this.#state === 'losing';
  }

  /** The stream is open: from now on its former keeper has time to hand over. */
  begun(): void {
    if (this.#state === 'awaited') this.#later(handoverMs, () => this.#makeUp());
  }

  /** The former keeper has kept all of them. */
  handedOver(): void {
    if (this.#state !== 'awaited') return;
    this.#state = 'whole';
    clearTimeout(this.#timer);
  }

  /** Some could not be kept. */
  lose(): void {
    if (this.#isOver || this.#state === 'losing') return;
    this.#state = 'losing';
    this.#again();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #again(): void {
    const retry = (): void => {
      if (!this.#isOver) this.#again();
    };
    this.#later(recoveryMs, () => void this.#options.attempt().then(() => this.#makeUp(), retry));
  }

  #makeUp(): void {
    if (this.#isOver) return;
    this.#state = 'whole';
    this.#options.tellAll();
  }

  #later(ms: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = letEnd(setTimeout(work, ms));
  }
}

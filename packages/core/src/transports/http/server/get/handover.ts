import { limits } from '../../../../limits.ts';
import { letEnd } from '../../../../runtime/timers.ts';

const patienceMs = limits.http.handoverMs.value;

/**
 * The way of a standing stream from one keeper to the next. Whoever kept the news for the client so far says when they are
 * all handed over. Where nobody does, because that instance is gone or had stopped keeping them, some may be missing.
 */
export class Handover {
  #isDone: boolean;
  #timer: NodeJS.Timeout | undefined;

  /** A stream that begins here has no former keeper. */
  constructor({ isNeeded }: { isNeeded: boolean }) {
    this.#isDone = !isNeeded;
  }

  /** True where no news can be missing, so that they can be handed on. */
  get isDone(): boolean {
    return this.#isDone;
  }

  done(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }

  /** Calls back where nobody has handed over in time. */
  orElse(tellAll: () => void): void {
    if (this.#isDone) return;
    this.#timer = letEnd(
      setTimeout(() => {
        this.#isDone = true;
        tellAll();
      }, patienceMs),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

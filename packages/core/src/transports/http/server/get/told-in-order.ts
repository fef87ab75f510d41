import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { eventsAfter, type Kept, type StreamPosition, type Told } from '../streams/event-log.ts';

/** Where events go. */
export interface ToldTo {
  write(kept: Kept, position: number): void;
  /** Called where some are gone, or can't be read: the client hears so when it comes back, unless it saw what came after them. */
  end(): void;
}

/** The events of a stream after a position, each once and in order: those that were kept, and those that are heard meanwhile. */
export class ToldInOrder {
  readonly #endpoint: Endpoint;
  readonly #place: StreamPosition;
  readonly #to: ToldTo;
  #last: number;
  /** What was heard and goes after all that is read, or it would seem that the client had that already. */
  #waiting: Told[] | undefined = [];
  #isCurrent = false;
  #missed = false;
  #reading = 0;

  constructor(endpoint: Endpoint, place: StreamPosition, to: ToldTo) {
    this.#endpoint = endpoint;
    this.#place = place;
    this.#to = to;
    this.#last = place.position;
  }

  /** Takes an event as another instance tells it. */
  readonly hear = (message: string): void => {
    const told = JSON.parse(message) as Told;
    if (this.#waiting === undefined) this.#write(told);
    else this.#waiting.push(told);
  };

  /** Reads what was kept: some may not have been heard. */
  readonly catchUp = (): void => {
    this.#missed = true;
    if (!this.#isCurrent) return;
    this.#waiting ??= [];
    this.#reading += 1;
    runInBackground(this.#endpoint.server, () => this.#readOn());
  };

  /** Writes what was kept so far, and from now on what is heard. */
  goOnFrom(kept: readonly Told[]): void {
    for (const told of kept) this.#write(told);
    this.#isCurrent = true;
    if (this.#missed) this.catchUp();
    else this.#writeHeard();
  }

  async #readOn(): Promise<void> {
    let lost: Told[] | undefined;
    try {
      lost = await eventsAfter(this.#endpoint, { ...this.#place, position: this.#last });
    } finally {
      this.#reading -= 1;
      if (lost === undefined) this.#to.end();
      else for (const told of lost) this.#write(told);
      if (this.#reading === 0 && lost !== undefined) this.#writeHeard();
    }
  }

  #writeHeard(): void {
    for (const told of this.#waiting ?? []) this.#write(told);
    this.#waiting = undefined;
  }

  #write({ kept, position }: Told): void {
    if (position <= this.#last) return;
    this.#last = position;
    this.#to.write(kept, position);
  }
}

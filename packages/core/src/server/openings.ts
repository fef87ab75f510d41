import type { Store } from '../stores/store.ts';
import type { Engine } from './engine.ts';

type Close = ReturnType<Engine['open']>;

interface Opening {
  readonly store: Store;
  readonly shared: boolean;
  /** Closes what serves now. */
  latest: Close;
  /** The same of all that have served and are not done with what they began. */
  readonly former: Set<Close>;
}

/** The transports that serve a server which may be replaced: the extensions of each that takes its place are told of them. */
export class Openings {
  readonly #all = new Set<Opening>();

  /** A transport begins to serve. Gives what is to be done before it stops. */
  open(engine: Engine, store: Store, shared: boolean): Close {
    const opening: Opening = { store, shared, latest: engine.open(store, shared), former: new Set() };
    this.#all.add(opening);
    return async (why = 'stopped') => {
      this.#all.delete(opening);
      await Promise.all([...opening.former, opening.latest].map((close) => close(why)));
    };
  }

  /** Another takes the place of the one that serves. That one finishes what it began. */
  replace(next: Engine): void {
    for (const opening of this.#all) {
      const { latest, former, store, shared } = opening;
      opening.latest = next.open(store, shared);
      former.add(latest);
      latest('replaced')
        .catch((error: unknown) => next.reportError('A server that was replaced could not be ended', error))
        .finally(() => former.delete(latest));
    }
  }
}

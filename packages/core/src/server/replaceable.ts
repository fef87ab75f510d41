import type { Engine } from './engine.ts';
import type { Server } from './server.ts';
import { engineOf, serverOf } from './server-handle.ts';
import type { Store } from '../stores/store.ts';

type Close = ReturnType<Engine['open']>;

interface Opening {
  readonly store: Store;
  readonly shared: boolean;
  /** Closes the current server. */
  latest: Close;
  /** Close the servers that were replaced and still finish their work. */
  readonly former: Set<Close>;
}

/** The transports of a replaceable server: the extensions of each new server are opened with them. */
class Openings {
  readonly #all = new Set<Opening>();

  /** Called when a transport starts serving. Returns the cleanup to run before it stops. */
  open(engine: Engine, store: Store, shared: boolean): Close {
    const opening: Opening = { store, shared, latest: engine.open(store, shared), former: new Set() };
    this.#all.add(opening);
    return async (why = 'stopped') => {
      this.#all.delete(opening);
      await Promise.all([...opening.former, opening.latest].map((close) => close(why)));
    };
  }

  /** Replaces the current server, which finishes its work. */
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

/** A server that can be replaced while clients are connected. */
export interface Replaceable {
  /** The current server. */
  readonly server: Server;
  replace(next: Server): void;
}

const lists = ['tools', 'prompts', 'resources'] as const;

/**
 * Makes a server replaceable while it is served. Running requests finish on the old server, new requests go to the new
 * one, and clients are notified that the lists changed.
 */
export function replaceable(first: Server): Replaceable {
  const original = engineOf(first);
  let latest = original;
  const openings = new Openings();
  const open: Engine['open'] = (store, shared) => openings.open(latest, store, shared);
  const front = new Proxy(original, {
    get(_, key) {
      if (key === 'open') return open;
      const member: unknown = Reflect.get(latest, key, latest);
      return typeof member === 'function' ? member.bind(latest) : member;
    },
  });
  return {
    server: serverOf(front),
    replace(next) {
      const engine = engineOf(next);
      engine.takeOver(original);
      const changed = lists.filter((kind) => latest.capabilities.offers(kind) || engine.capabilities.offers(kind));
      latest = engine;
      openings.replace(engine);
      for (const kind of changed) original.feed.publish({ kind });
    },
  };
}

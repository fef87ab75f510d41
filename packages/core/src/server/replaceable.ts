import type { Engine } from './engine.ts';
import { Openings } from './openings.ts';
import type { Server } from './server.ts';
import { engineOf, serverOf } from './server-face.ts';

/** A server that can be exchanged for another one under its clients. */
export interface Replaceable {
  /** Always stands for the latest. */
  readonly server: Server;
  replace(next: Server): void;
}

const lists = ['tools', 'prompts', 'resources'] as const;

/**
 * Lets a server be replaced while it is served. What runs finishes on the one where it began, new requests go to the
 * latest, and clients are told that the lists have changed.
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
      const changed = lists.filter((kind) => latest.offers(kind) || engine.offers(kind));
      latest = engine;
      openings.replace(engine);
      for (const kind of changed) original.feed.publish({ kind });
    },
  };
}

import type { Server } from '@ccmcp/core';

const lists = ['tools', 'prompts', 'resources'] as const;

/** A server that can be exchanged for another one under its clients. */
export interface Replaceable {
  /** Always stands for the latest. */
  server: Server;
  replace(next: Server): void;
}

/**
 * Lets a server be replaced while it is served. What runs finishes on the one where it began, new requests go to the
 * latest, and clients are told that the lists have changed.
 */
export function replaceable(first: Server): Replaceable {
  let latest = first;
  const server = new Proxy(first, {
    get(_, key) {
      const member: unknown = Reflect.get(latest, key, latest);
      return typeof member === 'function' ? member.bind(latest) : member;
    },
  });
  return {
    server,
    replace(next) {
      // Sessions and subscriptions have joined the first one's feed, and suspended calls carry its seal.
      Object.defineProperty(next, 'feed', { value: first.feed });
      Object.defineProperty(next, 'stateSeal', { get: () => first.stateSeal });
      const changed = lists.filter((kind) => latest.offers(kind) || next.offers(kind));
      latest = next;
      for (const kind of changed) first.feed.publish({ kind });
    },
  };
}

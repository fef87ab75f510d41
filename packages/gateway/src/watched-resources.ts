import type { Audience, Server } from '@ccmcp/core';
import type { Client, Subscription } from '@ccmcp/core/client';
import type { Uris } from './uris.ts';

/** The minimum lifetime of an upstream subscription: that of a client may become visible only later. */
const graceMs = 60_000;

/** The server that shows an upstream, and which of its callers see it: by default, all. */
export interface Front {
  readonly server: Server;
  readonly to?: Audience;
}

interface WatchedResourcesOptions {
  /** The server that offers the resources. */
  readonly server: Server;
  readonly front: Front;
  readonly uris: Uris;
  start(): Promise<Client>;
}

/** Subscribes upstream to the resources that clients subscribed to, and notifies them of changes. */
export class WatchedResources {
  readonly #server: Server;
  readonly #front: Front;
  readonly #stop: () => void;
  readonly #uriMap: Uris;
  /** Connects to the upstream if necessary. */
  readonly #start: () => Promise<Client>;
  /** The subscribed URIs, with the time of the subscription. */
  readonly #uris = new Map<string, number>();
  #subscription: { client: Client; uris: readonly string[]; subscription: Subscription } | undefined;
  #isUpdating = false;
  #isOutdated = false;

  constructor({ server, front, uris: uriMap, start }: WatchedResourcesOptions) {
    this.#server = server;
    this.#front = front;
    this.#uriMap = uriMap;
    this.#start = start;
    this.#stop = front.server.resources.onWatch((uris) => {
      const added = Array.from(uris).filter((uri) => !this.#uris.has(uri) && this.#isOffered(uri));
      for (const uri of added) this.#uris.set(uri, performance.now());
      if (added.length > 0) this.update();
    });
  }

  close(): void {
    this.#stop();
  }

  /** Removes URIs without subscribers. True if none is left. */
  prune(): boolean {
    if (this.#uris.size === 0) return true;
    const watched = new Set(this.#front.server.resources.watched());
    const before = performance.now() - graceMs;
    for (const [uri, since] of this.#uris) if (!watched.has(uri) && since < before) this.#uris.delete(uri);
    if (this.#uris.size !== this.#subscription?.uris.length) this.update();
    return this.#uris.size === 0;
  }

  /** Subscribes to the current URIs on the current connection. */
  update(): void {
    this.#isOutdated = true;
    if (!this.#isUpdating) void this.#subscribe();
  }

  async #subscribe(): Promise<void> {
    this.#isUpdating = true;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const former = this.#subscription;
      this.#subscription = undefined;
      try {
        if (this.#uris.size > 0) await this.#listen();
      } catch (error) {
        this.#server.reportError('The upstream rejected a subscription', error);
      }
      // After the new subscription, so that the upstream does not unsubscribe in between.
      await former?.subscription.close().catch(() => {});
    }
    this.#isUpdating = false;
  }

  async #listen(): Promise<void> {
    const client = await this.#start();
    const uris = Array.from(this.#uris.keys());
    const subscription = await client.listen(
      { uris: uris.map((uri) => this.#uriMap.toUpstream(uri)) },
      { onChange: (change) => change.kind === 'resource' && this.#onUpdated(this.#uriMap.toPublic(change.uri)) },
    );
    this.#subscription = { client, uris, subscription };
  }

  #onUpdated(uri: string): void {
    this.#front.server.resources.updated(uri, this.#front.to);
    this.prune();
  }

  #isOffered(uri: string): boolean {
    if (this.#server.resources.has(uri)) return true;
    for (const { uriTemplate } of this.#server.templates) {
      if (uri.startsWith(uriTemplate.split('{', 1)[0] as string)) return true;
    }
    return false;
  }
}

import type { Audience, Server } from '@ccmcp/core';
import type { Change, Client, Subscription } from '@ccmcp/core/client';
import type { Uris } from './uris.ts';

/** The minimum lifetime of an upstream subscription: that of a client may become visible only later. */
const graceMs = 60_000;

/** The server that shows an upstream, and which of its callers see it: by default, all. */
export interface Front {
  readonly server: Server;
  readonly to?: Audience;
}

interface WatchedResourcesOptions {
  readonly server: Server;
  readonly front: Front;
  readonly uris: Uris;
  /** Connects to the upstream if necessary. */
  start(): Promise<unknown>;
  /** The clients of all connections: each may be to a process of its own. */
  clients(): readonly Client[];
  /** The servers that offer the resources. */
  servers(): Iterable<Server>;
}

interface ConnectionSubscription {
  readonly version: number;
  readonly subscription: Subscription;
}

/**
 * Subscribes upstream, on each connection, to the resources that clients subscribed to, and notifies them of changes.
 */
export class WatchedResources {
  readonly #server: Server;
  readonly #front: Front;
  readonly #stop: () => void;
  readonly #uriMap: Uris;
  readonly #start: WatchedResourcesOptions['start'];
  readonly #clients: WatchedResourcesOptions['clients'];
  readonly #servers: WatchedResourcesOptions['servers'];
  /** The subscribed URIs, with the time of the subscription. */
  readonly #uris = new Map<string, number>();
  /** Increases when the URIs change. */
  #version = 0;
  #subscriptions: ReadonlyMap<Client, ConnectionSubscription> = new Map();
  #isUpdating = false;
  #isOutdated = false;

  constructor({ server, front, uris: uriMap, start, clients, servers }: WatchedResourcesOptions) {
    this.#server = server;
    this.#front = front;
    this.#uriMap = uriMap;
    this.#start = start;
    this.#clients = clients;
    this.#servers = servers;
    this.#stop = front.server.resources.onSubscribe((uris) => this.#add(uris));
  }

  /** Subscribes to the resources that clients are subscribed to, and that are offered now. */
  refresh(): void {
    this.#add(this.#front.server.resources.subscribedUris());
  }

  #add(uris: Iterable<string>): void {
    const added = Array.from(uris).filter((uri) => !this.#uris.has(uri) && this.#isOffered(uri));
    for (const uri of added) this.#uris.set(uri, performance.now());
    if (added.length === 0) return;
    this.#version += 1;
    this.update();
  }

  close(): void {
    this.#stop();
  }

  /** Removes URIs without subscribers. True if none is left. */
  prune(): boolean {
    if (this.#uris.size === 0) return true;
    const watched = new Set(this.#front.server.resources.subscribedUris());
    const before = performance.now() - graceMs;
    const isOutdated = Array.from(this.#uris).filter(
      ([uri, since]) => !watched.has(uri) && since < before && this.#uris.delete(uri),
    );
    if (isOutdated.length > 0) this.#version += 1;
    if (isOutdated.length > 0 || this.#subscriptions.size === 0) this.update();
    return this.#uris.size === 0;
  }

  /** Subscribes to the current URIs on the current connections. */
  update(): void {
    this.#isOutdated = true;
    if (!this.#isUpdating) void this.#subscribe();
  }

  async #subscribe(): Promise<void> {
    this.#isUpdating = true;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const former = this.#subscriptions;
      const current = new Map<Client, ConnectionSubscription>();
      try {
        if (this.#uris.size > 0) await this.#start();
      } catch (error) {
        this.#reportRejection(error);
      }
      const clients = this.#uris.size > 0 ? this.#clients() : [];
      await Promise.all(clients.map((client) => this.#listen(client, { former, current })));
      this.#subscriptions = current;
      // After the new subscriptions, so that the upstream does not unsubscribe in between.
      for (const [client, { subscription }] of former) {
        if (current.get(client)?.subscription !== subscription) await subscription.close().catch(() => {});
      }
    }
    this.#isUpdating = false;
  }

  async #listen(
    client: Client,
    {
      former,
      current,
    }: Record<'former', ReadonlyMap<Client, ConnectionSubscription>> &
      Record<'current', Map<Client, ConnectionSubscription>>,
  ): Promise<void> {
    const version = this.#version;
    const known = former.get(client);
    if (known?.version === version) {
      current.set(client, known);
      return;
    }
    const uris = Array.from(this.#uris.keys(), (uri) => this.#uriMap.toUpstream(uri));
    const onChange = (change: Change): void => {
      if (change.kind === 'resource') this.#onUpdated(this.#uriMap.toPublic(change.uri));
    };
    try {
      current.set(client, { version, subscription: await client.listen({ uris }, { onChange }) });
    } catch (error) {
      // A connection that was closed meanwhile needs none.
      if (this.#clients().includes(client)) this.#reportRejection(error);
    }
  }

  #reportRejection(error: unknown): void {
    this.#server.reportError('The upstream rejected a subscription', error);
  }

  #onUpdated(uri: string): void {
    this.#front.server.resources.updated(uri, this.#front.to);
    this.prune();
  }

  #isOffered(uri: string): boolean {
    for (const { resources, templates } of this.#servers()) {
      if (resources.has(uri)) return true;
      for (const { uriTemplate } of templates) {
        if (uri.startsWith(uriTemplate.split('{', 1)[0] as string)) return true;
      }
    }
    return false;
  }
}

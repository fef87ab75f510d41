import type { Change, Client } from '@ccmcp/core/client';
import { type ListKind, listKinds } from '../../shared/lists.ts';
import { coalesce } from './coalesce.ts';
import { pingTimeoutMs } from './open-client.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The connection whose lists are watched. */
export interface WatchedConnection {
  readonly subscriptions: Subscriptions;
  /** The connected client, if there is one. */
  client(): Client | undefined;
  /** Whether it reconnects if the server is unreachable. */
  canReconnect(): boolean;
  reconnect(): Promise<void>;
  loadList(kind: ListKind, isStale?: boolean): Promise<void>;
}

const minWatchMs = 5000;

/** Timeout of a subscription, after which the lists are loaded without it. */
const maxOpeningMs = 2000;

/** Keeps the lists of a connection current: loads them, and reloads those that the server announces as changed. */
export class ListWatcher {
  readonly #connection: WatchedConnection;
  /** Coalesces reloads: a server may announce changes faster than it lists. */
  readonly #reload: Readonly<Record<ListKind, () => void>>;
  /** Whether list changes are subscribed to. */
  #isWatching = false;

  constructor(connection: WatchedConnection) {
    this.#connection = connection;
    const reload = (kind: ListKind): (() => void) =>
      coalesce(async () => {
        if (connection.client() !== undefined) await connection.loadList(kind, true);
      });
    this.#reload = {
      tools: reload('tools'),
      resources: reload('resources'),
      templates: reload('templates'),
      prompts: reload('prompts'),
    };
  }

  /** Subscribes to changes of the lists, then loads them: a change in between must not be missed. */
  async start(client: Client): Promise<void> {
    const opening = this.#isWatching ? Promise.resolve() : this.#watch(client);
    const isOpen = await settlesWithin(maxOpeningMs, opening);
    if (this.#connection.client() !== client) return;
    await Promise.all(listKinds.map((kind) => this.#connection.loadList(kind)));
    if (!isOpen) void opening.then(() => this.#reloadAll());
  }

  /** The client is closed, and its subscription with it. */
  stop(): void {
    this.#isWatching = false;
  }

  /** Reloads the lists that changed. */
  onChange(change: Change): void {
    if (change.kind === 'resource' || this.#connection.client() === undefined) return;
    const kinds: readonly ListKind[] = change.kind === 'resources' ? ['resources', 'templates'] : [change.kind];
    for (const kind of kinds) this.#reload[kind]();
  }

  #reloadAll(): void {
    for (const kind of listKinds) this.#reload[kind]();
  }

  /** Subscribes to list changes; resolves when the subscription is open, or fails. Over HTTP this also detects a lost server. */
  async #watch(client: Client): Promise<void> {
    const { tools, prompts, resources } = client.capabilities;
    const filter = {
      ...(tools?.listChanged === true && { tools: true }),
      ...(prompts?.listChanged === true && { prompts: true }),
      ...(resources?.listChanged === true && { resources: true }),
    };
    if (Object.keys(filter).length === 0) return;
    this.#isWatching = true;
    const since = performance.now();
    await new Promise<void>((resolve) => {
      this.#connection.subscriptions.listen(client, filter, {
        onChange: (change) => this.onChange(change),
        onOpen: () => resolve(),
        onLost: () => {
          resolve();
          void this.#onLost(client, since);
        },
      });
    });
  }

  /** The server is unreachable, or it only ended the stream. A stream that ends immediately is not reopened. */
  async #onLost(client: Client, since: number): Promise<void> {
    const connection = this.#connection;
    if (connection.client() !== client) return;
    this.#isWatching = false;
    if (!connection.canReconnect()) return;
    const lasted = performance.now() - since;
    try {
      await client.ping({ timeoutMs: pingTimeoutMs });
      if (connection.client() !== client || lasted < minWatchMs) return;
      await this.#watch(client);
      this.#reloadAll();
    } catch {
      if (connection.client() === client && connection.canReconnect()) void connection.reconnect();
    }
  }
}

/** Resolves to true when a promise is fulfilled, and to false after a time. */
async function settlesWithin(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isSettled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return isSettled;
}

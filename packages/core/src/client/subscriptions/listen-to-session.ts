import {
  type Change,
  ChangeQueue,
  allChanges,
  type Filter,
  type ListenOptions,
  type Subscription,
} from './subscription.ts';
import type { Connection } from '../connection/connection.ts';

/** Counts the resource subscriptions of a session, since several readers may share one. */
export class ResourceSubscriptions {
  readonly #readers = new Map<string, number>();
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.lifecycle.sessionRestorers.add(() =>
      Promise.all(Array.from(this.#readers.keys(), (uri) => this.#request('subscribe', uri))),
    );
  }

  async add(uri: string): Promise<void> {
    const readers = this.#readers.get(uri) ?? 0;
    this.#readers.set(uri, readers + 1);
    if (readers > 0) return;
    try {
      await this.#request('subscribe', uri);
    } catch (error) {
      this.#readers.delete(uri);
      throw error;
    }
  }

  async remove(uri: string): Promise<void> {
    const readers = this.#readers.get(uri) ?? 0;
    if (readers > 1) {
      this.#readers.set(uri, readers - 1);
      return;
    }
    if (this.#readers.delete(uri)) await this.#request('unsubscribe', uri);
  }

  async #request(what: 'subscribe' | 'unsubscribe', uri: string): Promise<void> {
    await this.#connection.request(`resources/${what}`, { uri });
  }
}

/** Subscribes in the handshake era: filters the server's notifications, after subscribing to the wanted resources. */
export async function listenToSession(
  connection: Connection,
  subscriptions: ResourceSubscriptions,
  filter: Filter,
  { signal, onChange }: ListenOptions,
): Promise<Subscription> {
  signal?.throwIfAborted();
  const { uris = [] } = filter;
  const queue = new ChangeQueue(() => allChanges(filter));
  const onChangeEvent = (change: Change): void => {
    if (!matchesFilter(filter, change)) return;
    queue.push(change);
    onChange?.(change);
  };
  /** Changes between two sessions were not delivered. */
  const emitAll = async (): Promise<void> => {
    for (const change of allChanges(filter)) onChangeEvent(change);
  };
  const stop = (): void => {
    connection.incoming.changeListeners.delete(onChangeEvent);
    connection.lifecycle.sessionRestorers.delete(emitAll);
  };
  const close = async (): Promise<void> => {
    if (queue.ended) return;
    stop();
    queue.end();
    await Promise.all(uris.map((uri) => subscriptions.remove(uri).catch(() => {})));
  };
  connection.incoming.changeListeners.add(onChangeEvent);
  connection.lifecycle.sessionRestorers.add(emitAll);
  try {
    for (const uri of uris) await subscriptions.add(uri);
  } catch (error) {
    stop();
    throw error;
  }
  signal?.addEventListener('abort', () => void close(), { once: true });
  return {
    honoured: grantedFilter(connection, filter),
    closed: queue.closed,
    close,
    [Symbol.asyncIterator]: () => queue.read(),
  };
}

function grantedFilter(connection: Connection, filter: Filter): Filter {
  const { capabilities } = connection.agreement;
  const granted: Filter = {};
  for (const kind of ['tools', 'prompts', 'resources'] as const) {
    if (filter[kind] === true && capabilities[kind]?.listChanged === true) granted[kind] = true;
  }
  return filter.uris === undefined ? granted : { ...granted, uris: filter.uris };
}

/** The changed URI may lie below the subscribed one. */
function matchesFilter(filter: Filter, change: Change): boolean {
  if (change.kind !== 'resource') return filter[change.kind] === true;
  return filter.uris?.some((uri) => change.uri.startsWith(uri)) === true;
}

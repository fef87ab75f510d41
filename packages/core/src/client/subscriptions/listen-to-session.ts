import type { Change } from './subscription.ts';
import type { Conversation } from '../connection/connection.ts';
import { ChangeQueue, everyChange, type Filter, type ListenOptions, type Subscription } from './subscription.ts';

/** Keeps the resource subscriptions of a session: the server counts them once, several readers may want the same. */
export class ResourceSubscriptions {
  readonly #readers = new Map<string, number>();
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    conversation.restore.add(() =>
      Promise.all(Array.from(this.#readers.keys(), (uri) => this.#tell('subscribe', uri))),
    );
  }

  async add(uri: string): Promise<void> {
    const readers = this.#readers.get(uri) ?? 0;
    this.#readers.set(uri, readers + 1);
    if (readers > 0) return;
    try {
      await this.#tell('subscribe', uri);
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
    if (this.#readers.delete(uri)) await this.#tell('unsubscribe', uri);
  }

  async #tell(what: 'subscribe' | 'unsubscribe', uri: string): Promise<void> {
    await this.#conversation.request(`resources/${what}`, { uri });
  }
}

/** Listens to what a handshake server tells by itself, after subscribing to the resources that are wanted. */
export async function listenToSession(
  conversation: Conversation,
  subscriptions: ResourceSubscriptions,
  filter: Filter,
  { signal, onChange }: ListenOptions,
): Promise<Subscription> {
  signal?.throwIfAborted();
  const { uris = [] } = filter;
  const queue = new ChangeQueue(() => everyChange(filter));
  const hear = (change: Change): void => {
    if (!isWanted(filter, change)) return;
    queue.push(change);
    onChange?.(change);
  };
  /** What changed between two sessions was told to nobody. */
  const hearAll = async (): Promise<void> => {
    for (const change of everyChange(filter)) hear(change);
  };
  const stop = (): void => {
    conversation.changes.delete(hear);
    conversation.restore.delete(hearAll);
  };
  const close = async (): Promise<void> => {
    if (queue.ended) return;
    stop();
    queue.end();
    await Promise.all(uris.map((uri) => subscriptions.remove(uri).catch(() => {})));
  };
  conversation.changes.add(hear);
  conversation.restore.add(hearAll);
  try {
    for (const uri of uris) await subscriptions.add(uri);
  } catch (error) {
    stop();
    throw error;
  }
  signal?.addEventListener('abort', () => void close(), { once: true });
  return {
    honoured: honoured(conversation, filter),
    closed: queue.closed,
    close,
    [Symbol.asyncIterator]: () => queue.read(),
  };
}

function honoured(conversation: Conversation, filter: Filter): Filter {
  const { capabilities } = conversation.agreement;
  const told: Filter = {};
  for (const kind of ['tools', 'prompts', 'resources'] as const) {
    if (filter[kind] === true && capabilities[kind]?.listChanged === true) told[kind] = true;
  }
  return filter.uris === undefined ? told : { ...told, uris: filter.uris };
}

/** The address that changed may lie below the one that was subscribed to. */
function isWanted(filter: Filter, change: Change): boolean {
  if (change.kind !== 'resource') return filter[change.kind] === true;
  return filter.uris?.some((uri) => change.uri.startsWith(uri)) === true;
}

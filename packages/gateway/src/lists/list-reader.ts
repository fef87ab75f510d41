import type { Server } from '@ccmcp/core';
import type { Change, Client } from '@ccmcp/core/client';
import type { Lists } from './lists.ts';
import type { Kind } from './split-items.ts';

/** Options of a `ListReader`: where it reads, and what is shown. */
export interface ListReaderOptions {
  /** The name of the upstream. */
  readonly name: string;
  readonly server: Server;
  readonly lists: Lists;
  /** Identifies the callers whose lists these are. */
  readonly key: string;
  /** Called after the lists were read. */
  onRead(): void;
}

/** Keeps lists of an upstream up to date: reads them from connections of the same kind, and again with each change. */
export class ListReader {
  /** False until the lists were read. */
  isKnown = false;
  /** True from the loss of the last connection until the lists are read again. */
  isLost = false;
  /** Why the lists could not be read; undefined if the last read was successful. */
  error: Error | undefined;
  /** The pending read. */
  reading: Promise<void> | undefined;
  readonly #options: ListReaderOptions;
  /** Of the open connections, in the order in which they were opened. */
  readonly #clients = new Set<Client>();
  /** Defined until the lists were read: the kinds that the upstream reported as changed. */
  #changed: Set<Kind> | undefined;

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /** Reads the lists from the first connection, and from all of them when any reports a change. */
  follow(client: Client): void {
    this.#clients.add(client);
    if (this.#clients.size === 1) this.#start();
    const onChange = ({ kind }: Change): void => {
      if (!this.#clients.has(client)) return;
      this.#start();
      if (kind === 'tools' || kind === 'prompts' || kind === 'resources') this.#changed?.add(kind);
    };
    client.listen({ tools: true, prompts: true, resources: true }, { onChange }).catch(() => {
      // The upstream sends no change notifications.
    });
  }

  /** Stops reading from a connection. If it was the first one, another replaces it. */
  unfollow(client: Client, reason?: Error): void {
    const [leader] = this.#clients;
    if (!this.#clients.delete(client)) return;
    if (this.#clients.size === 0) this.isLost = reason !== undefined;
    else if (client === leader || this.reading !== undefined) this.#start();
  }

  /** Reads the lists, and again if they change meanwhile. */
  #start(): void {
    this.#changed ??= new Set();
    this.reading ??= this.#read().finally(() => {
      this.reading = undefined;
    });
  }

  async #read(): Promise<void> {
    const { name, server, lists, key, onRead } = this.#options;
    while (this.#changed !== undefined) {
      const changed: Set<Kind> = this.#changed;
      this.#changed = undefined;
      try {
        await lists.read(key, [...this.#clients]);
      } catch (error) {
        if (this.#clients.size === 0) this.#changed = undefined;
        else {
          this.error = error as Error;
          server.reportError(`The lists of the upstream "${name}" can't be read`, error);
        }
        continue;
      }
      this.error = undefined;
      const wasLost = this.isLost;
      this.isKnown = true;
      this.isLost = false;
      onRead();
      if (wasLost) lists.announce();
      // A list may have changed and changed back.
      lists.announce(changed);
    }
  }
}

import type { Server } from '@ccmcp/core';
import type { Change, Client } from '@ccmcp/core/client';
import type { Kind, Lists } from './lists.ts';

interface ListReaderOptions {
  /** The name of the upstream. */
  readonly name: string;
  readonly server: Server;
  readonly lists: Lists;
  /** True for the client that lists are read from. */
  isCurrent(client: Client): boolean;
}

/** Keeps the lists of an upstream up to date: reads them from a connection, and again with each change. */
export class ListReader {
  /** False until the lists were read. */
  isKnown = false;
  /** True from the loss of the upstream until the lists are read again. */
  isLost = false;
  /** The pending read. */
  reading: Promise<void> | undefined;
  readonly #options: ListReaderOptions;
  /** Defined until the lists were read: the kinds that the upstream reported as changed. */
  #changed: Set<Kind> | undefined;

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /** True while the lists are unknown, or date from before the upstream was lost. */
  get isStale(): boolean {
    return this.isLost || !this.isKnown;
  }

  /** Reads the lists from a new connection, and whenever its server reports a change. */
  follow(client: Client): void {
    this.#start(client);
    const onChange = ({ kind }: Change): void => {
      this.#start(client);
      if (kind === 'tools' || kind === 'prompts' || kind === 'resources') this.#changed?.add(kind);
    };
    client.listen({ tools: true, prompts: true, resources: true }, { onChange }).catch(() => {
      // The upstream sends no change notifications.
    });
  }

  /** Reads the lists, and again if they change meanwhile. */
  #start(client: Client): void {
    this.#changed ??= new Set();
    this.reading ??= this.#read(client).finally(() => {
      this.reading = undefined;
    });
  }

  async #read(client: Client): Promise<void> {
    const { name, server, lists, isCurrent } = this.#options;
    while (this.#changed !== undefined) {
      const changed: Set<Kind> = this.#changed;
      this.#changed = undefined;
      try {
        await lists.read(client);
      } catch (error) {
        if (!isCurrent(client)) return;
        server.reportError(`The lists of the upstream "${name}" can't be read`, error);
        continue;
      }
      const wasLost = this.isLost;
      this.isKnown = true;
      this.isLost = false;
      if (wasLost) lists.announce();
      // A list may have changed and changed back.
      lists.announce(changed);
    }
  }
}

import type { Client } from '@ccmcp/core/client';
import { ListReader, type ListReaderOptions } from './list-reader.ts';

type ListReadersOptions = Omit<ListReaderOptions, 'key'>;

/** Reads the lists of an upstream from its connections, apart for callers with different keys. */
export class ListReaders {
  readonly #options: ListReadersOptions;
  /** By key; the first one's lists are for callers without lists of their own. */
  readonly #readers = new Map<string, ListReader>();
  readonly #clients = new Map<Client, ListReader>();
  /** The keys whose lists can't be read, because a connection failed. */
  readonly unreadable: Set<string> = new Set();

  constructor(options: ListReadersOptions) {
    this.#options = options;
  }

  /** The clients of all open connections. */
  get clients(): readonly Client[] {
    return [...this.#clients.keys()];
  }

  get(key: string): ListReader | undefined {
    return this.#readers.get(key);
  }

  /** The one whose lists are for callers without lists of their own. */
  get first(): ListReader | undefined {
    return this.#readers.values().next().value;
  }

  /** False until lists were read. */
  get isKnown(): boolean {
    return this.#some((reader) => reader.isKnown);
  }

  get isReading(): boolean {
    return this.#some((reader) => reader.reading !== undefined);
  }

  /** True if any lists date from before a loss. */
  get isStale(): boolean {
    return this.#some((reader) => reader.isKnown && reader.isLost);
  }

  /** Why lists of open connections could not be read. */
  get error(): Error | undefined {
    for (const { error } of this.#clients.values()) if (error !== undefined) return error;
    return undefined;
  }

  /** Follows the lists of a connection. */
  follow(client: Client, key: string): void {
    this.unreadable.delete(key);
    const reader = this.#readers.get(key) ?? new ListReader({ ...this.#options, key });
    this.#readers.set(key, reader);
    this.#clients.set(client, reader);
    reader.follow(client);
  }

  /** Stops following a connection that is closed, with the reason if it was lost. */
  unfollow(client: Client, reason?: Error): void {
    this.#clients.get(client)?.unfollow(client, reason);
    this.#clients.delete(client);
  }

  /** Records that the upstream was lost. */
  lost(): void {
    for (const reader of this.#readers.values()) reader.isLost = true;
  }

  #some(check: (reader: ListReader) => boolean): boolean {
    for (const reader of this.#readers.values()) if (check(reader)) return true;
    return false;
  }
}

import type { LogBounds, StoredEntry } from '../store.ts';

/** A log has at least one entry. */
interface Log {
  entries: StoredEntry[];
  length: number;
}

/** The logs of all records. They share one budget; beyond it, the least recently written logs are evicted. */
export class Logs {
  /** In the order of the last write. */
  readonly #logs = new Map<string, Log>();
  readonly #maxLength: number;
  #length = 0;

  /** `maxLength` is the length of all entries of all logs together. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The length of all entries of all logs together. */
  get length(): number {
    return this.#length;
  }

  append(key: string, added: StoredEntry, { maxEntries, maxLength }: LogBounds): void {
    const log = this.#logs.get(key) ?? { entries: [], length: 0 };
    this.#logs.delete(key);
    this.#logs.set(key, log);
    log.entries.push(added);
    let grown = added.entry.length;
    while (log.entries.length > 1 && (log.entries.length > maxEntries || log.length + grown > maxLength)) {
      grown -= (log.entries.shift() as StoredEntry).entry.length;
    }
    log.length += grown;
    this.#length += grown;
    this.#evictFor(key);
  }

  /** The entries after a position; undefined if the first of them was evicted, or there is no log. */
  after(key: string, position: number): StoredEntry[] | undefined {
    const log = this.#logs.get(key);
    if (log === undefined) return undefined;
    const { position: first } = log.entries[0] as StoredEntry;
    return position < first - 1 ? undefined : log.entries.slice(position - first + 1);
  }

  drop(key: string): void {
    this.#length -= this.#logs.get(key)?.length ?? 0;
    this.#logs.delete(key);
  }

  clear(): void {
    this.#logs.clear();
    this.#length = 0;
  }

  #evictFor(key: string): void {
    for (const oldest of this.#logs.keys()) {
      if (this.#length <= this.#maxLength || oldest === key) return;
      this.drop(oldest);
    }
  }
}

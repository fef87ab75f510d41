import type { LogEntry, Logger } from '@ccmcp/core';

/** A server's own log, with its entries. */
export interface CollectedLog extends Logger {
  readonly entries: readonly LogEntry[];
  /** Waits for an entry that matches. */
  until(data: string | RegExp): Promise<LogEntry>;
}

/** Creates a log that stores every entry. */
export function collectLog(): CollectedLog {
  const entries: LogEntry[] = [];
  const waiting = new Set<() => void>();
  return {
    level: 'debug',
    entries,
    write(entry) {
      entries.push(entry);
      for (const look of waiting) look();
    },
    until: (data) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = entries.find((entry) =>
            data instanceof RegExp ? data.test(String(entry.data)) : entry.data === data,
          );
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

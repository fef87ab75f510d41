import type { Interface } from 'node:readline/promises';
import { host } from '../host.ts';

/** The person at the terminal, asked only where a command needs to. */
export interface Terminal {
  /** Opened at the first question. */
  open(): Promise<Interface>;
  /** Lets questions be asked where a command already reads lines. */
  use(terminal: Interface): void;
  /** Leaves the terminal to another program as long as that runs. */
  suspend<T>(use: () => Promise<T>): Promise<T>;
  close(): void;
}

/** The terminal of this process. Questions go to stderr: stdout is for the outcome alone. */
export function processTerminal(): Terminal {
  let opened: Promise<Interface> | undefined;
  return {
    open() {
      opened ??= import('node:readline/promises').then(({ createInterface }) => {
        // It would keep Ctrl+C to itself.
        const terminal = createInterface({ input: host.stdin, output: host.stderr }).on('SIGINT', () =>
          host.interrupt(),
        );
        // Whoever has ended their input can't be asked: a question then fails at once.
        if (host.stdin.readableEnded) terminal.close();
        return terminal;
      });
      return opened;
    },
    use(terminal) {
      opened = Promise.resolve(terminal);
    },
    async suspend(use) {
      const terminal = await opened;
      const { stdin } = host;
      const wasRaw = stdin.isRaw;
      terminal?.pause();
      if (wasRaw) stdin.setRawMode(false);
      try {
        return await use();
      } finally {
        if (wasRaw) stdin.setRawMode(true);
        terminal?.resume();
      }
    },
    close() {
      void opened?.then((terminal) => terminal.close());
      opened = undefined;
    },
  };
}

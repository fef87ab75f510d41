import type { Interface } from 'node:readline/promises';

/** The person at the terminal, asked only where a command needs to. */
export interface Terminal {
  /** Opened at the first question. */
  open(): Promise<Interface>;
  /** Lets questions be asked where a command already reads lines. */
  lend(terminal: Interface): void;
  close(): void;
}

function interrupt(): void {
  process.kill(process.pid, 'SIGINT');
}

/** The terminal of this process. Questions go to stderr: stdout is for the outcome alone. */
export function processTerminal(): Terminal {
  let opened: Promise<Interface> | undefined;
  return {
    open() {
      opened ??= import('node:readline/promises').then(({ createInterface }) =>
        // It would keep Ctrl+C to itself.
        createInterface({ input: process.stdin, output: process.stderr }).on('SIGINT', interrupt),
      );
      return opened;
    },
    lend(terminal) {
      opened = Promise.resolve(terminal);
    },
    close() {
      void opened?.then((terminal) => terminal.close());
      opened = undefined;
    },
  };
}

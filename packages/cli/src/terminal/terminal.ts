import type { Interface } from 'node:readline/promises';
import { host } from '../host.ts';

/** The user at the terminal. */
export interface Terminal {
  /** Opened at the first question. */
  open(): Promise<Interface>;
  /** Uses the readline interface of a command that already reads lines. */
  use(terminal: Interface): void;
  /** Releases the terminal while another program uses it. */
  suspend<T>(use: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Asks the user one line; undefined if the input has ended. */
export type Ask = (question: string) => Promise<string | undefined>;

/** The terminal of this process. Questions go to stderr: stdout is for the outcome alone. */
export function processTerminal(): Terminal {
  let opened: Promise<Interface> | undefined;
  return {
    open() {
      opened ??= import('node:readline/promises').then(({ createInterface }) => {
        // Readline would swallow Ctrl+C.
        const terminal = createInterface({ input: host.stdin, output: host.stderr }).on('SIGINT', () =>
          host.interrupt(),
        );
        // Stdin has ended: a question then fails at once.
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

/** A terminal where nobody is asked. */
export const noTerminal: Terminal = {
  open: () => Promise.reject(new Error('No questions are asked here')),
  use: () => {},
  suspend: (use) => use(),
  close: () => {},
};

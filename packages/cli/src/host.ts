import type { EventEmitter } from 'node:events';

/**
 * What a command uses of the process it runs in, beside the environment and the working directory. Servers don't use it:
 * they own their process.
 */
export interface Host {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { fd: number };
  readonly stderr: NodeJS.WriteStream;
  /** Emits SIGINT and the like. */
  readonly signals: Pick<EventEmitter, 'on' | 'once' | 'off' | 'listeners' | 'removeAllListeners'>;
  /** Does what Ctrl+C does where the terminal doesn't turn it into a signal. */
  interrupt(): void;
  /** The path of the program that was started. */
  readonly script: string;
}

/** Streams are opened when they are used: that takes time. */
const processHost: Host = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  signals: process,
  interrupt: () => void process.kill(process.pid, 'SIGINT'),
  // Read at once: a file that is served is told that it is the program.
  script: process.argv[1] ?? 'ccmcp',
};

/** The host of the command that runs. */
export let host: Host = processHost;

/** Runs what follows on another host, for tests; without one, on the process again. */
export function useHost(other: Host = processHost): void {
  host = other;
}

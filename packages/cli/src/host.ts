import type { EventEmitter } from 'node:events';

/**
 * The parts of the process that commands use, besides the environment and the working directory. Servers don't use it:
 * they own their process.
 */
export interface Host {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream & { fd: number };
  readonly stderr: NodeJS.WriteStream;
  /** Emits SIGINT and the like. */
  readonly signals: Pick<EventEmitter, 'on' | 'once' | 'off' | 'listeners' | 'removeAllListeners'>;
  /** Interrupts the command, as Ctrl+C does outside of raw mode. */
  interrupt(): void;
  /** The path of the started program. */
  readonly script: string;
}

/** Streams are opened on first use, which takes time. */
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
  // Read now: loading a user's file changes argv.
  script: process.argv[1] ?? 'ccmcp',
};

/** The host of the command that runs. */
export let host: Host = processHost;

/** Replaces the host, for tests; without an argument, restores the process. */
export function useHost(other: Host = processHost): void {
  host = other;
}

import type { Readable, Writable } from 'node:stream';
import { createFraming, type FramingName } from '../../../jsonrpc/framing/detect.ts';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-face.ts';
import { serveStreams, type StdioConnection } from './connection.ts';
import { ownProcess } from './process-events.ts';
import { reserveStdout } from './reserve-stdout.ts';
import { limits } from '../../../limits.ts';

/** How a client is served on stdio. */
export interface StdioOptions {
  /** How messages are told apart. Default: `auto`, which goes by the client's first bytes. */
  framing?: FramingName;
  /** The longest message taken, in bytes. Default: 1 MiB. */
  maxMessage?: number;
  /** How long running requests may go on after the input has ended, in milliseconds. Default: 2000. */
  grace?: number;
  /** Default: the process's stdin. */
  input?: Readable;
  /** Default: the process's stdout, which then carries nothing but messages: other output goes to stderr. */
  output?: Writable;
  /**
   * The connection owns the process: SIGINT and SIGTERM end it in order, an error that nobody caught is logged and does
   * not end it, and the process exits with the connection. Default: true on the process's own stdio.
   */
  exit?: boolean;
}

/** Serves one client over stdio, or over any pair of byte streams, until its input ends. */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioConnection {
  const { input = process.stdin, output = process.stdout, framing = 'auto' } = options;
  const { maxMessage = limits.stdio.maxMessage.value, grace = limits.stdio.grace.value } = options;
  const { exit = input === process.stdin && output === process.stdout } = options;

  const reserved = output === process.stdout ? reserveStdout() : undefined;
  const engine = engineOf(server);
  const connection = serveStreams(engine, {
    input,
    output,
    write: reserved?.write ?? ((text, done) => output.write(text, done)),
    framing: createFraming(framing, maxMessage),
    grace,
  });
  if (exit) {
    ownProcess({
      onSignal: () => void connection.close(),
      onStrayError: (what, error) => engine.reportError(what, error),
    });
  }

  async function release(): Promise<void> {
    await connection.closed;
    if (reserved === undefined) output.end();
    // Timers, sockets and children must not keep a server alive that has lost its client.
    if (exit) setImmediate(() => process.exit());
    else reserved?.release();
  }
  const closed = release();
  return {
    closed,
    close() {
      void connection.close();
      return closed;
    },
  };
}

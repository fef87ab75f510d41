import type { Readable, Writable } from 'node:stream';
import { createFraming, type FramingName } from '../../../jsonrpc/framing/detect.ts';
import { rateCounter } from '../../../server/quotas/rate-counter.ts';
import type { RateLimit } from '../../../server/quotas/rate-limit.ts';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { connectionUsage } from '../../../server/quotas/quota.ts';
import { warmUpAfterAnswer } from '../../../server/warm-up.ts';
import { isTrouble, serveStreams, type StdioConnection } from './connection.ts';
import { handleProcessEvents, watchClient } from './process-events.ts';
import { reserveStdout } from './reserve-stdout.ts';
import { checkLimits, limits } from '../../../limits.ts';

/** The grace period of a process that was told to end, or whose client seems gone, in milliseconds. */
const hurried = limits.stdio.hurriedGraceMs.value;

/** How a client is served on stdio. */
export interface StdioOptions {
  /** How messages are told apart. Default: `auto`, which goes by the client's first bytes. */
  framing?: FramingName;
  /** The longest message taken, in bytes. Default: 1 MiB. */
  maxMessage?: number;
  /**
   * How long running requests may go on after the end of input, in milliseconds. A signal makes it shorter. Default: 4500,
   * so that the process exits within five seconds.
   */
  grace?: number;
  /** How often the client may send requests, `ping` aside. Default: as often as it likes. */
  rateLimit?: RateLimit;
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

/** Gets what `serveStdio` is called with on the process's own stdin and stdout, and serves it in a way of its own. */
export type StdioTaker = (server: Server, options: StdioOptions) => StdioConnection;

/** The file that is loaded may have another copy of this library: the key is the same in all. */
const takerKey = Symbol.for('@ccmcp/core stdio taker');
const taken = globalThis as { [takerKey]?: StdioTaker | undefined };

/**
 * Lets a program that loads the files of others, such as `ccmcp serve`, serve what they would serve on the process's own
 * stdin and stdout. Gives a function that puts everything back as it was.
 */
export function takeStdio(taker: StdioTaker): () => void {
  const before = taken[takerKey];
  taken[takerKey] = taker;
  return () => {
    taken[takerKey] = before;
  };
}

/** Serves one client over stdio, or over any pair of byte streams, until its input ends. */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioConnection {
  checkLimits('serveStdio', options);
  const taker = taken[takerKey];
  if (taker !== undefined && options.input === undefined && options.output === undefined) return taker(server, options);
  const { input = process.stdin, output = process.stdout, framing = 'auto' } = options;
  const { maxMessage = limits.stdio.maxMessage.value, grace = limits.stdio.grace.value } = options;
  const { exit = input === process.stdin && output === process.stdout } = options;

  const reserved = output === process.stdout ? reserveStdout() : undefined;
  const engine = engineOf(server);
  const callOffWarmUp = warmUpAfterAnswer(engine);
  const connection = serveStreams(engine, {
    input,
    output,
    write: reserved?.write ?? ((text, done) => output.write(text, done)),
    framing: createFraming(framing, maxMessage),
    grace,
    usage: connectionUsage(rateCounter(options.rateLimit, { name: 'default', key: '' })),
  });
  if (exit) {
    output.on('error', (error) => {
      if (isTrouble(error)) process.exitCode = 1;
    });
    const parent = process.ppid;
    const onInputEnd = (): void =>
      watchClient(parent, {
        onParentExit: () => connection.hurry(hurried),
        onReaderClosed: () => void connection.close({ graceMs: 0 }),
      });
    input.once('end', onInputEnd).once('error', onInputEnd);
    handleProcessEvents({
      onSignal: () => void connection.close({ graceMs: Math.min(grace, hurried) }),
      onStrayError: (what, error) => engine.reportError(what, error),
    });
  }

  async function release(): Promise<void> {
    await connection.closed;
    callOffWarmUp();
    if (reserved === undefined) output.end();
    // Timers, sockets and children must not keep a server alive that has lost its client.
    if (exit) setImmediate(() => process.exit());
    else reserved?.release();
  }
  const closed = release();
  return {
    closed,
    close(closing) {
      void connection.close(closing);
      return closed;
    },
  };
}

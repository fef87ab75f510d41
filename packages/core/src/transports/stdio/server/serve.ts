import type { Readable, Writable } from 'node:stream';
import type { FramingName } from '../../../jsonrpc/framing/detect.ts';
import { rateSpec } from '../../../features/rate-limit/rate-spec.ts';
import type { RateLimit } from '../../../server/define/feature-options.ts';
import type { Server } from '../../../server/server.ts';
import { engineOf } from '../../../server/server-handle.ts';
import { warmUpAfterAnswer } from '../../../server/warm-up.ts';
import type { StdioConnection } from './connection.ts';
import { openConnection } from './open-connection.ts';
import { handleProcessEvents, isUnexpectedError } from './process-events.ts';
import type { Write } from './write-buffer.ts';
import { checkLimits, limits } from '../../../limits.ts';
import { writeToStderr } from '../../../server/log/stderr.ts';

/** The grace period after a signal, or when the client seems to be disconnected, in milliseconds. */
const signalGraceMs = 1500;

/** Options of `serveStdio`. */
export interface StdioOptions {
  /** The message framing. Default: `auto`, which detects it from the client's first bytes. */
  framing?: FramingName;
  /** The longest message accepted, in bytes. Default: 1 MiB. */
  maxMessage?: number;
  /**
   * The grace period of running requests after the end of input, in milliseconds. A signal shortens it. Default: 4500, so
   * that the process exits within five seconds.
   */
  grace?: number;
  /** Limits the rate of requests, except `ping`. Default: no limit. */
  rateLimit?: RateLimit;
  /** Default: the process's stdin. */
  input?: Readable;
  /** Default: the process's stdout, which is then reserved for messages: other output goes to stderr. */
  output?: Writable;
  /**
   * True: the connection owns the process. SIGINT and SIGTERM shut it down gracefully, unhandled errors are logged, and
   * the process exits with the connection. Default: true on the process's own stdio.
   */
  exit?: boolean;
}

/** Replaces `serveStdio` on the process's own stdin and stdout. */
export type StdioInterceptor = (server: Server, options: StdioOptions) => StdioConnection;

/** Global, since a loaded file may have another copy of this library. */
const interceptorKey = Symbol.for('@ccmcp/core stdio taker');
const globals = globalThis as { [interceptorKey]?: StdioInterceptor | undefined };

/**
 * Intercepts calls of `serveStdio` on the process's own stdin and stdout, for programs that load the files of others,
 * such as `ccmcp serve`. Returns the function that removes the interceptor.
 */
export function interceptStdio(interceptor: StdioInterceptor): () => void {
  const before = globals[interceptorKey];
  globals[interceptorKey] = interceptor;
  return () => {
    globals[interceptorKey] = before;
  };
}

/** Serves one client over stdio, or over any pair of byte streams, until its input ends. */
export function serveStdio(server: Server, options: StdioOptions = {}): StdioConnection {
  checkLimits('serveStdio', options);
  const interceptor = globals[interceptorKey];
  if (interceptor !== undefined && options.input === undefined && options.output === undefined)
    return interceptor(server, options);
  const { input = process.stdin, output = process.stdout, framing = 'auto' } = options;
  const { maxMessage = limits.stdio.maxMessage.value, grace = limits.stdio.grace.value } = options;
  const { exit = input === process.stdin && output === process.stdout } = options;

  const reserved = output === process.stdout ? reserveStdout() : undefined;
  const write: Write = reserved?.write ?? ((text, done) => output.write(text, done));
  const engine = engineOf(server);
  const rates = rateSpec(options.rateLimit, { name: 'default', key: '' });
  const cancelWarmUp = warmUpAfterAnswer(engine);
  const connection = openConnection(engine, { input, output, write, framing, maxMessage, grace, rates });
  if (exit) {
    output.on('error', (error) => {
      if (isUnexpectedError(error)) process.exitCode = 1;
    });
    const parent = process.ppid;
    const onInputEnd = async (): Promise<void> => {
      const { watchClient } = await import('./watch-client.ts');
      watchClient(parent, {
        onParentExit: () => connection.shortenGrace(signalGraceMs),
        onReaderClosed: () => void connection.close({ graceMs: 0 }),
      });
    };
    const watch = (): void => void onInputEnd();
    input.once('end', watch).once('error', watch);
    handleProcessEvents({
      onSignal: () => void connection.close({ graceMs: Math.min(grace, signalGraceMs) }),
      onUnhandledError: (what, error) => engine.reportError(what, error),
    });
  }

  async function release(): Promise<void> {
    await connection.closed;
    cancelWarmUp();
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

/** Redirected output is dropped above this many unread characters on stderr. */
const MAX_UNREAD = 1024 * 1024;

/** The process's stdout, reserved for messages. */
export interface ReservedStdout {
  readonly write: Write;
  /** Restores stdout. */
  release(): void;
}

/** Reserves stdout for messages: any other output, `console.log` included, goes to stderr. */
export function reserveStdout(): ReservedStdout {
  const { stdout } = process;
  const own = Object.getOwnPropertyDescriptor(stdout, 'write');
  const write = stdout.write.bind(stdout);
  stdout.write = redirectToStderr;
  return {
    write: (text, done) => write(text, done),
    release() {
      if (stdout.write !== redirectToStderr) return;
      if (own === undefined) Reflect.deleteProperty(stdout, 'write');
      else Object.defineProperty(stdout, 'write', own);
    },
  };
}

type Done = (error?: Error | null) => void;

function redirectToStderr(chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean {
  const callback = typeof encoding === 'function' ? encoding : done;
  const bytes = typeof encoding === 'string' && typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  // Errors of a full or closed stderr are not the writer's.
  writeToStderr(bytes, { maxUnread: MAX_UNREAD, done: callback && (() => process.nextTick(callback)) });
  // `false` would make the writer wait for stdout to drain.
  return true;
}

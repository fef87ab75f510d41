import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import type { ErrorResponse, Notification, Request, RequestId } from '../../../jsonrpc/message.ts';
import { type ClientConnection, openClientConnection } from '../../../server/client-connection.ts';
import type { Peer } from '../../../server/peer.ts';
import { logRejection } from '../../../server/log/log-rejection.ts';
import type { Responses } from '../../../server/call/encode-responses.ts';
import { receive } from '../../../server/receive.ts';
import type { Engine } from '../../../server/engine.ts';
import type { Session } from '../../../server/session.ts';
import { connectionUsage, type Usage } from '../../../features/quotas/quota.ts';
import { openSession } from '../../../server/methods/initialize.ts';
import type { EarlyEvents } from './early-handshake.ts';
import { isUnexpectedError } from './process-events.ts';
import { createGracefulShutdown } from './graceful-shutdown.ts';
import { createReadBuffer, type ReadBuffer } from './read-buffer.ts';
import { createWriteBuffer, type Write } from './write-buffer.ts';
import { createMessageWriter } from './message-writer.ts';
import { createProgressGap } from '../../progress-gap.ts';
import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';

/** A client being served on stdio. */
export interface StdioConnection {
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  /**
   * Closes gracefully: accepts no more messages, and sends the answers of requests that finish within the grace period,
   * which can be shortened.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** A connection whose grace period can be shortened. */
export interface StreamConnection extends StdioConnection {
  /** Shortens the grace period after the end of input: the client seems to be disconnected. */
  shortenGrace(graceMs: number): void;
}

/** Options of a connection. */
export interface StdioConnectionOptions {
  input: Readable;
  output: Writable;
  /** Writes to the output, whose own `write` may have been replaced. */
  write: Write;
  framing: Framing;
  /** The grace period of running requests after the end of input, in milliseconds. */
  grace: number;
  /** The usage of the client. Default: counted, and not limited. */
  usage?: Usage;
  /** The events before the connection. Default: none. */
  early?: EarlyEvents | undefined;
}

const origin = { transport: 'stdio' } as const;

/** Serves one client over a pair of byte streams, until one of them ends. */
export function serveStreams(server: Engine, options: StdioConnectionOptions): StreamConnection {
  const { input, output, write, framing, grace, early, usage = connectionUsage() } = options;
  const writeBuffer = createWriteBuffer({ stream: output, write, onWritten });
  const client = openClientConnection({ send, origin, usage, backpressured: () => writeBuffer.backpressured });
  const { peer, session, answered } = client;
  const gap = createProgressGap();
  const { closeLongLived, rejectAll: rejectPending, followUp } = pendingCalls(server, peer.running);
  const writer = createMessageWriter({ server, writeBuffer, framing, methods: server.methods, followUp, answered });
  const handlers = { ...createHandlers(server, peer), answer: writer.answer, onSettled, onLimitRaised: proceed };
  const readBuffer = createReadBuffer({ input, framing, writeBuffer, gap, ...handlers });
  const steps = { finish, releaseDelayed: gap.releaseAll, rejectPending, release };
  const shutdown = createGracefulShutdown({ grace, writeBuffer, readBuffer, ...steps });
  const proceedSoon = oncePerTick(proceed);
  continueHandshake(server, early?.handshake, client);

  function onData(chunk: Buffer | string): void {
    framing.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    proceed();
  }

  /** Processes what has arrived; synchronous answers are sent in one write. */
  function proceed(): void {
    if (processInput(readBuffer, session) && shutdown.stage === 'ending') shutdown.onAllProcessed();
    if (shutdown.stage !== 'closed') gap.flush(writeBuffer.flush);
  }

  function onSettled(): void {
    proceedSoon();
    shutdown.onAnswered();
  }

  function send(message: Notification | Request, request?: RequestId): void {
    writer.send(message);
    if (message.method === 'notifications/progress' && request !== undefined) gap.note(request);
    if (!readBuffer.isProcessing) proceedSoon();
  }

  function onWritten(): void {
    if (readBuffer.isPaused) proceed();
    if (shutdown.stage !== 'open') shutdown.onWritten();
  }

  function onInputEnd(): void {
    if (!shutdown.begin()) return;
    server.note('info', 'EOF on stdin, shutting down');
    framing.end();
    proceed();
  }

  function close({ graceMs = grace }: { graceMs?: number } = {}): Promise<void> {
    if (shutdown.begin()) {
      stopReading();
      // Not synchronously: the caller may be a handler that has not answered yet.
      proceedSoon();
    }
    shutdown.shortenGrace(graceMs, { fixed: true });
    return shutdown.closed;
  }

  function stopReading(): void {
    readBuffer.stop();
    client.stopAsking(new Error('The client can no longer be asked: its connection is closing'));
  }

  function finish(): void {
    stopReading();
    closeLongLived();
  }

  function release(): void {
    writer.stop();
    stopReading();
    client.end(new Error('The connection is closed'));
    stopListening();
  }

  const stopListening = listen(options, { ...handlers, onData, onInputEnd, onOutputEnd: shutdown.end });
  return { closed: shutdown.closed, close, shortenGrace: shutdown.shortenGrace };
}

/** Processes what has arrived, then sends what had to wait for the answers. True if nothing is left. */
function processInput(readBuffer: ReadBuffer, session: Session): boolean {
  const isAll = readBuffer.process();
  if (session.rejections !== undefined) session.sendRejections();
  return isAll;
}

/** How a server handles messages and errors of a pair of streams. */
interface StreamHandlers {
  serve: (text: string) => Responses | Promise<Responses>;
  onParseError: (rejection: ErrorResponse) => void;
  onOutputError: (error: Error) => void;
}

/** Opens the session of a handshake that was answered before. Middleware sees it now; its response is dropped. */
function continueHandshake(server: Engine, handshake: Request | undefined, client: ClientConnection): void {
  if (handshake === undefined) return;
  const { peer, answered } = client;
  if (!server.hasMiddleware) {
    openSession(server, handshake, peer);
    return;
  }
  const response = server.handle(handshake, peer);
  if (response instanceof Promise) void response.then(answered);
  else answered(response);
}

function createHandlers(server: Engine, peer: Peer): StreamHandlers {
  return {
    serve: (text) => receive(server, text, peer),
    onParseError: (rejection) => logRejection(server, rejection, peer),
    onOutputError: (error) => server.reportError('Answers can no longer be written', error),
  };
}

/** Listeners for a pair of streams. */
interface StreamListeners {
  onData: (chunk: Buffer | string) => void;
  onInputEnd: () => void;
  onOutputEnd: () => void;
  /** Called when the output fails for another reason than a closed reader. */
  onOutputError: (error: Error) => void;
}

/** Adds the listeners. Returns the function that removes them. */
function listen(
  { input, output, early }: Pick<StdioConnectionOptions, 'input' | 'output' | 'early'>,
  listeners: StreamListeners,
): () => void {
  const { onData, onInputEnd, onOutputEnd, onOutputError } = listeners;
  const onError = (error: Error): void => {
    if (isUnexpectedError(error)) onOutputError(error);
    onOutputEnd();
  };
  output.on('error', onError).on('close', onOutputEnd);
  input.on('data', onData).on('end', onInputEnd).on('close', onInputEnd).on('error', onInputEnd);
  early?.stop();
  // Not synchronously, since it may close the connection; but before anything else comes.
  if (early !== undefined) queueMicrotask(() => continueFrom(early, input, listeners));
  return () => {
    // The error listeners stay: a late error must not end the process.
    input.off('data', onData).off('end', onInputEnd).off('close', onInputEnd);
    output.off('close', onOutputEnd);
  };
}

/** Replays what happened before the connection was opened. */
function continueFrom(
  { chunks, inputEnded, outputError, outputClosed }: EarlyEvents,
  input: Readable,
  { onData, onInputEnd, onOutputEnd, onOutputError }: StreamListeners,
): void {
  if (!inputEnded) input.resume();
  if (outputError !== undefined && isUnexpectedError(outputError)) onOutputError(outputError);
  for (const chunk of chunks) onData(chunk);
  if (outputError !== undefined || outputClosed) onOutputEnd();
  else if (inputEnded) onInputEnd();
}

/** Debounces a function: however often it is called in a tick of the event loop, the work runs once, at its end. */
export function oncePerTick(work: () => void): () => void {
  let isDue = false;

  function run(): void {
    isDue = false;
    work();
  }

  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(run);
  };
}

/** The calls that still run when their connection ends. */
export interface PendingCalls {
  /** Closes long-lived calls. */
  closeLongLived(): void;
  /** Answers the other calls with an error, and aborts their handlers. */
  rejectAll(): void;
  /** The message that must follow an answer: a cancellation, if this side closed a long-lived call. */
  followUp(reply: Responses): Notification | undefined;
}

/** Ends the calls of a connection that shuts down. */
export function pendingCalls(server: Engine, running: Peer['running']): PendingCalls {
  /** Long-lived calls closed by this side, until they are answered. */
  const ended = new Set<RequestId>();

  return {
    closeLongLived() {
      for (const [id, call] of running) {
        if (!call.longLived) continue;
        ended.add(id);
        call.close();
      }
    },
    rejectAll() {
      const reason = new ProtocolError(ErrorCode.InternalError, 'The server was shut down before the request was done');
      for (const [id, call] of running) {
        if (call.longLived) continue;
        call.complete(server.errorResponse(id, reason));
        call.stop(reason);
      }
    },
    followUp(reply) {
      if (ended.size === 0 || reply === undefined || Array.isArray(reply)) return undefined;
      if (reply.id === null || !ended.delete(reply.id)) return undefined;
      return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: reply.id } };
    },
  };
}

import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import type { ErrorResponse, Notification, Request, RequestId } from '../../../jsonrpc/message.ts';
import { openConversation } from '../../../server/conversation.ts';
import type { Exchange } from '../../../server/exchange.ts';
import { logRejection } from '../../../server/observe/log-rejection.ts';
import type { Responses } from '../../../server/call/encode-responses.ts';
import { receive } from '../../../server/receive.ts';
import type { Engine } from '../../../server/engine.ts';
import type { Usage } from '../../../server/quotas/quota.ts';
import { createGracefulShutdown } from './graceful-shutdown.ts';
import { createReadBuffer, type ReadBuffer } from './read-buffer.ts';
import { createWriteBuffer, type Write } from './write-buffer.ts';
import { createMessageWriter } from './message-writer.ts';
import { createProgressGap } from '../../progress-gap.ts';
import { pendingCalls } from './pending-calls.ts';

/** A client being served on stdio. */
export interface StdioConnection {
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  /**
   * Takes no more messages, lets running requests finish within the grace period, sends their answers, and ends. The
   * period can be made shorter than the connection's own.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** The same, with what is found out about its client elsewhere. */
export interface StreamConnection extends StdioConnection {
  /** Makes the grace period after the end of input shorter: it seems that nobody is there any more. */
  hurry(graceMs: number): void;
}

/** What a connection is made of. */
export interface StdioConnectionOptions {
  input: Readable;
  output: Writable;
  /** How to write to the output, where its own `write` is taken over. */
  write: Write;
  framing: Framing;
  /** How long running requests may go on after the end of input, in milliseconds. */
  grace: number;
  /** What the client holds, where the rate of its requests is limited. */
  usage?: Usage;
}

/** Serves one client over a pair of byte streams, until one of them ends. */
export function serveStreams(server: Engine, options: StdioConnectionOptions): StreamConnection {
  const { input, output, write, framing, grace, usage } = options;
  const writeBuffer = createWriteBuffer({ stream: output, write, onWritten });
  const crowded = (): boolean => writeBuffer.backpressured;
  const conversation = openConversation({ send, origin: { transport: 'stdio' }, usage, crowded });
  const { exchange, answered } = conversation;
  const gap = createProgressGap();
  const { closeLongLived, rejectAll: rejectPending, followUp } = pendingCalls(server, exchange.running);
  const writer = createMessageWriter({ server, writeBuffer, framing, methods: server.methods, followUp, answered });
  const handlers = { ...createHandlers(server, exchange), answer: writer.answer, onSettled, onMoreRoom: proceed };
  const readBuffer = createReadBuffer({ input, framing, writeBuffer, gap, ...handlers });
  const steps = { finish, releaseDelayed: gap.releaseAll, rejectPending, release };
  const shutdown = createGracefulShutdown({ grace, writeBuffer, readBuffer, ...steps });
  const proceedSoon = oncePerTick(proceed);

  function onData(chunk: Buffer | string): void {
    framing.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    proceed();
  }

  /** Takes what has come; the answers that are there at once go out in one write. */
  function proceed(): void {
    if (processInput(readBuffer, exchange)) shutdown.onAllTaken();
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
    shutdown.onWritten();
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
      // Not at once: whoever calls this may be a handler whose answer is still to come.
      proceedSoon();
    }
    shutdown.hurry(graceMs, { fixed: true });
    return shutdown.closed;
  }

  function stopReading(): void {
    readBuffer.stop();
    conversation.stopAsking(new Error('The client can no longer be asked: its connection is ending'));
  }

  function finish(): void {
    stopReading();
    closeLongLived();
  }

  function release(): void {
    writer.stop();
    stopReading();
    conversation.end(new Error('The connection is closed'));
    stopListening();
  }

  const stopListening = listen({ input, output }, { ...handlers, onData, onInputEnd, onOutputEnd: shutdown.end });
  return { closed: shutdown.closed, close, hurry: shutdown.hurry };
}

/** Processes what has arrived, then sends what had to wait for the answers. True if nothing is left. */
function processInput(readBuffer: ReadBuffer, { session }: Exchange): boolean {
  const isAll = readBuffer.process();
  session?.tellRefusals();
  return isAll;
}

/** How a server handles messages and errors of a pair of streams. */
interface StreamHandlers {
  serve: (text: string) => Responses | Promise<Responses>;
  onParseError: (refusal: ErrorResponse) => void;
  onOutputError: (error: Error) => void;
}

function createHandlers(server: Engine, exchange: Exchange): StreamHandlers {
  return {
    serve: (text) => receive(server, text, exchange),
    onParseError: (refusal) => logRejection(server, refusal, exchange),
    onOutputError: (error) => server.reportError('Answers can no longer be written', error),
  };
}

/** True for an output error that is more than a closed reader. */
export function isTrouble({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'EPIPE' && code !== 'ECONNRESET';
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
  { input, output }: { input: Readable; output: Writable },
  { onData, onInputEnd, onOutputEnd, onOutputError }: StreamListeners,
): () => void {
  const onError = (error: Error): void => {
    if (isTrouble(error)) onOutputError(error);
    onOutputEnd();
  };
  output.on('error', onError).on('close', onOutputEnd);
  input.on('data', onData).on('end', onInputEnd).on('close', onInputEnd).on('error', onInputEnd);
  return () => {
    // The listeners for errors stay: a late one concerns nobody, and must not end the process.
    input.off('data', onData).off('end', onInputEnd).off('close', onInputEnd);
    output.off('close', onOutputEnd);
  };
}

/** Makes a function that may be called many times in a turn of the event loop: the work is done once, at its end. */
export function oncePerTick(work: () => void): () => void {
  let isDue = false;

  function onTurn(): void {
    isDue = false;
    work();
  }

  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(onTurn);
  };
}

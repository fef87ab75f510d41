import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import type { ErrorResponse, Notification, Request, RequestId } from '../../../jsonrpc/message.ts';
import { openConversation } from '../../../server/conversation.ts';
import type { Exchange } from '../../../server/exchange.ts';
import { logRefusal } from '../../../server/log-refusal.ts';
import { receive, type Responses } from '../../../server/receive.ts';
import type { Engine } from '../../../server/engine.ts';
import type { Usage } from '../../../server/usage.ts';
import { createEnding } from './graceful-shutdown.ts';
import { createIntake, type Intake } from './read-buffer.ts';
import { createOutbox, type Write } from './write-buffer.ts';
import { createOutgoing } from './message-writer.ts';
import { createProgressGap } from '../../progress-gap.ts';
import { remainingCalls } from './pending-calls.ts';

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
  /** How long running requests may go on after the input has ended, or after the last answer, in milliseconds. */
  grace: number;
  /** What the client holds, where the rate of its requests is limited. */
  usage?: Usage;
}

/** Serves one client over a pair of byte streams, until one of them ends. */
export function serveStreams(server: Engine, options: StdioConnectionOptions): StreamConnection {
  const { input, output, write, framing, grace, usage } = options;
  const outbox = createOutbox({ stream: output, write, onWritten });
  const conversation = openConversation({ send, origin: { transport: 'stdio' }, usage, crowded: () => outbox.crowded });
  const { exchange, answered } = conversation;
  const gap = createProgressGap();
  const { closeStanding, giveUp, followUp } = remainingCalls(server, exchange.running);
  const outgoing = createOutgoing({ server, outbox, framing, methods: server.methods, followUp, answered });
  const { onTrouble, ...serving } = servingOf(server, exchange);
  const taking = { ...serving, answer: outgoing.answer, onSettled, onMoreRoom: proceed };
  const intake = createIntake({ input, framing, outbox, gap, ...taking });
  const ending = createEnding({ grace, outbox, intake, finish, letGo: gap.letGo, giveUp, release });
  const proceedSoon = oncePerTurn(proceed);

  function onData(chunk: Buffer | string): void {
    framing.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    proceed();
  }

  /** Takes what has come; the answers that are there at once go out in one write. */
  function proceed(): void {
    if (takeFrom(intake, exchange)) ending.onAllTaken();
    if (ending.stage !== 'closed') gap.flush(outbox.flush);
  }

  function onSettled(): void {
    proceedSoon();
    ending.onAnswered();
  }

  function send(message: Notification | Request, request?: RequestId): void {
    outgoing.send(message);
    if (message.method === 'notifications/progress' && request !== undefined) gap.note(request);
    if (!intake.taking) proceedSoon();
  }

  function onWritten(): void {
    if (intake.holding) proceed();
    ending.onWritten();
  }

  function onInputEnd(): void {
    if (!ending.begin()) return;
    server.note('info', 'EOF on stdin, shutting down');
    framing.end();
    proceed();
  }

  function close({ graceMs = grace }: { graceMs?: number } = {}): Promise<void> {
    if (ending.begin()) {
      hearNoMore();
      // Not at once: whoever calls this may be a handler whose answer is still to come.
      proceedSoon();
    }
    ending.hurry(graceMs, { fixed: true });
    return ending.closed;
  }

  function hearNoMore(): void {
    intake.stop();
    conversation.stopAsking(new Error('The client can no longer be asked: its connection is ending'));
  }

  function finish(): void {
    hearNoMore();
    closeStanding();
  }

  function release(): void {
    outgoing.stop();
    hearNoMore();
    conversation.end(new Error('The connection is closed'));
    stopListening();
  }

  const stopListening = listen({ input, output }, { onData, onInputEnd, onOutputEnd: ending.end, onTrouble });
  return { closed: ending.closed, close, hurry: ending.hurry };
}

/** Serves what has come, then tells what had to wait for the answers. True where nothing is left of it. */
function takeFrom(intake: Intake, { session }: Exchange): boolean {
  const isAll = intake.take();
  session?.tellRefusals();
  return isAll;
}

/** What a server does with what comes, and with what goes wrong. */
interface Serving {
  serve: (text: string) => Responses | Promise<Responses>;
  onUnreadable: (refusal: ErrorResponse) => void;
  onTrouble: (error: Error) => void;
}

function servingOf(server: Engine, exchange: Exchange): Serving {
  return {
    serve: (text) => receive(server, text, exchange),
    onUnreadable: (refusal) => logRefusal(server, refusal, exchange),
    onTrouble: (error) => server.reportError('Answers can not be written any more', error),
  };
}

/** True for an error that is more than a reader who is gone. */
export function isTrouble({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'EPIPE' && code !== 'ECONNRESET';
}

/** What happens to a pair of streams. */
interface StreamListeners {
  onData: (chunk: Buffer | string) => void;
  onInputEnd: () => void;
  onOutputEnd: () => void;
  /** The output fails for another reason than that its reader is gone. */
  onTrouble: (error: Error) => void;
}

/** Listens to a pair of streams until the function returned is called. */
function listen(
  { input, output }: { input: Readable; output: Writable },
  { onData, onInputEnd, onOutputEnd, onTrouble }: StreamListeners,
): () => void {
  const onOutputError = (error: Error): void => {
    if (isTrouble(error)) onTrouble(error);
    onOutputEnd();
  };
  output.on('error', onOutputError).on('close', onOutputEnd);
  input.on('data', onData).on('end', onInputEnd).on('close', onInputEnd).on('error', onInputEnd);
  return () => {
    // The listeners for errors stay: a late one concerns nobody, and must not end the process.
    input.off('data', onData).off('end', onInputEnd).off('close', onInputEnd);
    output.off('close', onOutputEnd);
  };
}

/** Makes a function that may be called many times in a turn of the event loop: the work is done once, at its end. */
export function oncePerTurn(work: () => void): () => void {
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

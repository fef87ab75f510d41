import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Framing } from '../../../jsonrpc/framing/framing.ts';
import type { Notification, Request } from '../../../jsonrpc/message.ts';
import { openConversation } from '../../../server/conversation.ts';
import { receive, type Responses } from '../../../server/receive.ts';
import type { Engine } from '../../../server/engine.ts';
import { createEnding } from './ending.ts';
import { createIntake } from './intake.ts';
import { oncePerTurn } from './once-per-turn.ts';
import { createOutbox, type Write } from './outbox.ts';
import { createOutgoing } from './outgoing.ts';
import { remainingCalls } from './remaining-calls.ts';

/** A client being served on stdio. */
export interface StdioConnection {
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  /** Takes no more messages, lets running requests finish within the grace period, sends their answers, and ends. */
  close(): Promise<void>;
}

/** What a connection is made of. */
export interface StdioConnectionOptions {
  input: Readable;
  output: Writable;
  /** How to write to the output, where its own `write` is taken over. */
  write: Write;
  framing: Framing;
  /** How long running requests may go on after the input has ended, in milliseconds. */
  grace: number;
}

/** Serves one client over a pair of byte streams, until one of them ends. */
export function serveStreams(server: Engine, options: StdioConnectionOptions): StdioConnection {
  const { input, output, write, framing, grace } = options;
  const outbox = createOutbox({ stream: output, write, onWritten });
  const conversation = openConversation({ send, crowded: () => outbox.crowded });
  const { exchange } = conversation;
  const { closeStanding, giveUp, followUp } = remainingCalls(server, exchange.running);
  const outgoing = createOutgoing({ server, outbox, framing, methods: server.methods, followUp });
  const { answer } = outgoing;
  const serve = (text: string): Responses | Promise<Responses> => receive(server, text, exchange);
  const intake = createIntake({ input, framing, outbox, serve, answer, onSettled, onMoreRoom: proceed });
  const ending = createEnding({ grace, outbox, intake, finish, giveUp, release });
  const proceedSoon = oncePerTurn(proceed);

  function onData(chunk: Buffer | string): void {
    framing.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    proceed();
  }

  /** Takes what has come; the answers that are there at once go out in one write. */
  function proceed(): void {
    if (intake.take()) ending.onAllTaken();
    if (ending.stage !== 'closed') outbox.flush();
  }

  function onSettled(): void {
    proceedSoon();
    ending.onAnswered();
  }

  function send(message: Notification | Request): void {
    outgoing.send(message);
    if (!intake.taking) proceedSoon();
  }

  function onWritten(): void {
    if (intake.holding) proceed();
    ending.onWritten();
  }

  function onInputEnd(): void {
    if (!ending.begin()) return;
    framing.end();
    proceed();
  }

  function close(): Promise<void> {
    if (ending.begin()) {
      hearNoMore();
      // Not at once: whoever calls this may be a handler whose answer is still to come.
      proceedSoon();
    }
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

  const stopListening = listen({ input, output }, { onData, onInputEnd, onOutputEnd: ending.end });
  return { closed: ending.closed, close };
}

/** What happens to a pair of streams. */
interface StreamListeners {
  onData: (chunk: Buffer | string) => void;
  onInputEnd: () => void;
  onOutputEnd: () => void;
}

/** Listens to a pair of streams until the function returned is called. */
function listen(
  { input, output }: { input: Readable; output: Writable },
  { onData, onInputEnd, onOutputEnd }: StreamListeners,
): () => void {
  output.on('error', onOutputEnd).on('close', onOutputEnd);
  input.on('data', onData).on('end', onInputEnd).on('close', onInputEnd).on('error', onInputEnd);
  return () => {
    // The listeners for errors stay: a late one concerns nobody, and must not end the process.
    input.off('data', onData).off('end', onInputEnd).off('close', onInputEnd);
    output.off('close', onOutputEnd);
  };
}

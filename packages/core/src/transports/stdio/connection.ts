import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Framing, Problem } from '../../jsonrpc/framing/framing.ts';
import type { ErrorResponse, Notification, Request, RequestId } from '../../jsonrpc/message.ts';
import { encode } from '../../jsonrpc/message.ts';
import { Pending } from '../../jsonrpc/pending.ts';
import type { Exchange } from '../../server/exchange.ts';
import { encodeReply, receive, type Reply } from '../../server/receive.ts';
import type { Server } from '../../server/server.ts';
import { Session } from '../../server/session.ts';
import { createOutbox, type Write } from './outbox.ts';

/** So many calls may be under way before it shows whether their answers are large and find a reader. */
const FIRST_CALLS = 16;
/** While those take their time, as many more are let in after each of these pauses, in milliseconds. */
const PAUSE = 10;
/** How long, in milliseconds, the last answers wait for a client that does not read. */
const STALL = 1000;

/** Not worth keeping for a client that does not keep up. Progress isn't either: its call asks before it tells of it. */
const lossy = new Set(['notifications/message']);

/** A client being served. */
export interface Connection {
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  /** Takes no more messages, lets running requests finish within the grace period, sends their answers, and ends. */
  close(): Promise<void>;
}

/** What a connection is made of. */
export interface ConnectionOptions {
  input: Readable;
  output: Writable;
  /** How to write to the output, where its own `write` is taken over. */
  write: Write;
  framing: Framing;
  /** How long running requests may go on after the input has ended, in milliseconds. */
  grace: number;
}

/** Serves one client over a pair of byte streams, until one of them ends. */
export function connect(server: Server, { input, output, write, framing, grace }: ConnectionOptions): Connection {
  const outbox = createOutbox({ stream: output, write, onWritten });
  const pending = new Pending();
  const exchange: Exchange = {
    session: new Session(send),
    running: new Map(),
    send,
    ask: (method, params, signal) => (deaf ? Promise.reject(gone()) : pending.ask(method, params, send, signal)),
    settle: (response) => pending.settle(response),
    get crowded() {
      return outbox.crowded;
    },
  };

  let stage: 'open' | 'ending' | 'answering' | 'flushing' | 'closed' = 'open';
  /** No message is taken any more, not even one that has come already. */
  let deaf = false;
  let taking = false;
  let paused = false;
  let turnIsDue = false;
  let running = 0;
  let mayRun = FIRST_CALLS;
  let letMoreIn: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  /** The standing calls that this side has ended. */
  const ended = new Set<RequestId>();
  let resolveClosed: () => void;
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  /** Serves what has come, as far as there is room. */
  function take(): void {
    if (stage !== 'open' && stage !== 'ending') return;
    taking = true;
    const all = takeAll();
    taking = false;
    if (!all) hold();
    else if (stage === 'ending') answerTheRest();
    else if (paused) {
      paused = false;
      input.resume();
    }
  }

  function takeAll(): boolean {
    for (;;) {
      if (deaf) return true;
      if (outbox.crowded || running >= mayRun) return false;
      const item = framing.next();
      if (item === undefined) return true;
      const reply = typeof item === 'string' ? receive(server, item, exchange) : refusal(item);
      if (reply instanceof Promise) {
        running++;
        void reply.then(onReply);
      } else {
        answer(reply);
      }
    }
  }

  function hold(): void {
    if (!paused) input.pause();
    paused = true;
    if (outbox.crowded) mayRun = FIRST_CALLS;
    else letMoreIn ??= setTimeout(onPause, PAUSE);
  }

  function onPause(): void {
    letMoreIn = undefined;
    if (running >= mayRun) mayRun += FIRST_CALLS;
    proceed();
  }

  function onReply(reply: Reply): void {
    running--;
    answer(reply);
    soon();
    if (stage === 'answering' && running === 0) flushTheRest();
  }

  function answer(reply: Reply): void {
    if (reply === undefined || stage === 'closed') return;
    outbox.add(framing.frame(encodeReply(server, reply)));
    if (ended.size > 0 && !Array.isArray(reply) && reply.id !== null && ended.delete(reply.id)) {
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: reply.id } });
    }
  }

  function send(message: Notification | Request): void {
    if (stage === 'closed') return;
    if ('id' in message) outbox.add(framing.frame(encode(message)));
    else if (!outbox.crowded || !lossy.has(message.method)) outbox.addOnce(framing.frame(encode(message)));
    if (!taking) soon();
  }

  /** What comes in the same turn goes out together. */
  function soon(): void {
    if (turnIsDue) return;
    turnIsDue = true;
    setImmediate(onTurn);
  }

  function onTurn(): void {
    turnIsDue = false;
    proceed();
  }

  /** Takes what has come; the answers that are there at once go out in one write. */
  function proceed(): void {
    take();
    if (stage !== 'closed') outbox.flush();
  }

  function onWritten(): void {
    if (paused) proceed();
    if (stage !== 'flushing') return;
    deadline?.refresh();
    if (outbox.empty) end();
  }

  function onData(chunk: Buffer | string): void {
    framing.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    proceed();
  }

  function onInputEnd(): void {
    if (stage !== 'open') return;
    stage = 'ending';
    deadline = setTimeout(giveUp, grace);
    framing.end();
    proceed();
  }

  function close(): Promise<void> {
    if (stage === 'open') {
      stage = 'ending';
      deadline = setTimeout(giveUp, grace);
      deaf = true;
      input.pause();
      // Not at once: whoever calls this may be a handler whose answer is still to come.
      soon();
    }
    return closed;
  }

  /** Every message was taken; what runs may finish. Questions to the client can't be answered any more. */
  function answerTheRest(): void {
    stage = 'answering';
    deaf = true;
    pending.end(gone());
    for (const [id, call] of exchange.running) {
      if (!call.standing) continue;
      ended.add(id);
      call.close();
    }
    if (running === 0) flushTheRest();
  }

  function giveUp(): void {
    if (stage === 'ending') answerTheRest();
    const reason = new ProtocolError(ErrorCode.InternalError, 'The server was shut down before the request was done');
    for (const [id, call] of exchange.running) {
      if (call.standing) continue;
      call.settle(server.refusal(id, reason));
      call.stop(reason);
    }
    setImmediate(flushTheRest);
  }

  function flushTheRest(): void {
    if (stage !== 'answering') return;
    stage = 'flushing';
    clearTimeout(deadline);
    deadline = setTimeout(end, STALL);
    outbox.flush();
    if (outbox.empty) end();
  }

  /** Also the quick way out when the client is gone. */
  function end(): void {
    if (stage === 'closed') return;
    stage = 'closed';
    deaf = true;
    clearTimeout(deadline);
    clearTimeout(letMoreIn);
    pending.end(gone());
    for (const call of exchange.running.values()) call.cancel('The connection is closed');
    exchange.session?.end();
    // The listeners for errors stay: a late one concerns nobody, and must not end the process.
    input.off('data', onData).off('end', onInputEnd).off('close', onInputEnd).pause();
    output.off('close', end);
    resolveClosed();
  }

  output.on('error', end).on('close', end);
  input.on('data', onData).on('end', onInputEnd).on('close', onInputEnd).on('error', onInputEnd);
  return { closed, close };
}

function refusal({ problem, message }: Problem): ErrorResponse {
  const error =
    problem === 'encoding'
      ? { code: ErrorCode.ParseError, message: `Parse error: ${message}` }
      : { code: ErrorCode.InvalidRequest, message: `Invalid request: ${message}` };
  return { jsonrpc: '2.0', id: null, error };
}

function gone(): Error {
  return new Error('The client can no longer be asked: its connection is ending');
}

import type { Readable } from 'node:stream';
import { ErrorCode } from '../../../jsonrpc/errors.ts';
import type { Framing, Unreadable } from '../../../jsonrpc/framing/framing.ts';
import type { ErrorResponse } from '../../../jsonrpc/message.ts';
import { validatorLoading } from '../../../schema/validator.ts';
import type { Responses } from '../../../server/call/encode-responses.ts';
import type { WriteBuffer } from './write-buffer.ts';
import type { ProgressGap } from '../../progress-gap.ts';

/** The initial concurrency: shows whether answers are large and find a reader. */
const FIRST_CALLS = 16;
/** The concurrency grows by this interval, in milliseconds, while calls are slow. */
const RAISE_INTERVAL = 10;

/** Options of a read buffer. */
export interface ReadBufferOptions {
  input: Pick<Readable, 'pause' | 'resume'>;
  framing: Pick<Framing, 'next'>;
  /** Under backpressure no message is processed. */
  writeBuffer: Pick<WriteBuffer, 'backpressured'>;
  /** Delays answers that would follow their progress too closely. */
  gap: Pick<ProgressGap, 'isActive' | 'delay'>;
  /** True while calls can't run yet, so that more of them would only wait. Default: while the validator loads. */
  loading?: () => boolean;
  /** Serves one message. Its promise never rejects. */
  serve: (text: string) => Responses | Promise<Responses>;
  /** Called with the error response to invalid input. */
  onParseError?: (answer: ErrorResponse) => void;
  /** Sends an answer. */
  answer: (reply: Responses) => void;
  /** Called after an asynchronous answer: another call can run. */
  onSettled: () => void;
  /** Called when the concurrency limit was raised. */
  onLimitRaised: () => void;
}

/** Processes messages until there is backpressure or too many calls run. */
export interface ReadBuffer {
  /** How many calls are running. */
  readonly running: number;
  /** True while messages are processed: everything sent meanwhile is flushed with their answers. */
  readonly isProcessing: boolean;
  /** True while messages are buffered. */
  readonly isPaused: boolean;
  /** Processes what has arrived. True if nothing is left. */
  process(): boolean;
  /** Processes no more messages, not even those that have arrived. */
  stop(): void;
}

/** Creates the read buffer of a connection. It pauses the input under backpressure, so that memory stays bounded. */
export function createReadBuffer(options: ReadBufferOptions): ReadBuffer {
  const { input, framing, writeBuffer, gap, serve, answer, onSettled, onLimitRaised, loading = isLoading } = options;
  let isProcessing = false;
  let isPaused = false;
  let stopped = false;
  let running = 0;
  let concurrencyLimit = FIRST_CALLS;
  let raiseTimer: NodeJS.Timeout | undefined;

  function processMessages(): boolean {
    let isFull = false;
    isProcessing = true;
    for (;;) {
      if (stopped) break;
      isFull = writeBuffer.backpressured || running >= concurrencyLimit;
      const item = isFull ? undefined : framing.next();
      if (item === undefined) break;
      const reply = typeof item === 'string' ? serve(item) : rejectUnparsable(item, options);
      if (reply instanceof Promise) {
        running++;
        void reply.then(onReply);
      } else if (gap.isActive && gap.delay(reply, complete)) running++;
      else answer(reply);
    }
    isProcessing = false;
    if (isFull) pause();
    else if (isPaused && !stopped) input.resume();
    isPaused = isFull;
    return !isFull;
  }

  function onReply(reply: Responses): void {
    if (!gap.isActive || !gap.delay(reply, complete)) complete(reply);
  }

  function complete(reply: Responses): void {
    running--;
    answer(reply);
    onSettled();
  }

  function pause(): void {
    input.pause();
    if (writeBuffer.backpressured) concurrencyLimit = FIRST_CALLS;
    else raiseTimer ??= setTimeout(raiseLimit, RAISE_INTERVAL);
  }

  function raiseLimit(): void {
    raiseTimer = undefined;
    if (running >= concurrencyLimit && !loading()) concurrencyLimit += FIRST_CALLS;
    onLimitRaised();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(raiseTimer);
    input.pause();
  }

  return {
    get running() {
      return running;
    },
    get isProcessing() {
      return isProcessing;
    },
    get isPaused() {
      return isPaused;
    },
    process: processMessages,
    stop,
  };
}

function isLoading(): boolean {
  return validatorLoading() !== undefined;
}

function rejectUnparsable(item: Unreadable, { onParseError }: ReadBufferOptions): ErrorResponse {
  const answer = toErrorResponse(item);
  onParseError?.(answer);
  return answer;
}

/** The error response to invalid input. */
function toErrorResponse({ problem, message }: Unreadable): ErrorResponse {
  const error =
    problem === 'encoding'
      ? { code: ErrorCode.ParseError, message: `Parse error: ${message}` }
      : { code: ErrorCode.InvalidRequest, message: `Invalid request: ${message}` };
  return { jsonrpc: '2.0', id: null, error };
}

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
const PAUSE = 10;

/** Options of a read buffer. */
export interface ReadBufferOptions {
  input: Pick<Readable, 'pause' | 'resume'>;
  framing: Pick<Framing, 'next'>;
  /** Under backpressure no message is processed. */
  writeBuffer: Pick<WriteBuffer, 'backpressured'>;
  /** Delays answers that would follow their progress too closely. */
  gap: Pick<ProgressGap, 'delay'>;
  /** True while calls can't run yet, so that more of them would only wait. Default: while the validator loads. */
  loading?: () => boolean;
  /** Serves one message. Its promise never rejects. */
  serve: (text: string) => Responses | Promise<Responses>;
  /** Called with the error response to invalid input. */
  onParseError?: (answer: ErrorResponse) => void;
  /** Sends an answer. */
  answer: (reply: Responses) => void;
  /** Called after an asynchronous answer: there is room for another call. */
  onSettled: () => void;
  /** Called when the concurrency limit was raised. */
  onMoreRoom: () => void;
}

/** Processes messages as far as there is room for their answers. */
export interface ReadBuffer {
  /** How many calls are running. */
  readonly running: number;
  /** True while messages are processed: what is sent meanwhile goes out with their answers. */
  readonly isProcessing: boolean;
  /** True while messages wait for room. */
  readonly isPaused: boolean;
  /** Processes what has arrived. True if nothing is left. */
  process(): boolean;
  /** Processes no more messages, not even those that have arrived. */
  stop(): void;
}

/** Creates the read buffer of a connection. It pauses the input while messages wait, so that memory stays bounded. */
export function createReadBuffer(options: ReadBufferOptions): ReadBuffer {
  const { input, framing, writeBuffer, gap, serve, answer, onSettled, onMoreRoom, loading = isLoading } = options;
  let isProcessing = false;
  let isPaused = false;
  let stopped = false;
  let running = 0;
  let concurrencyLimit = FIRST_CALLS;
  let raiseTimer: NodeJS.Timeout | undefined;

  function processMessages(): boolean {
    isProcessing = true;
    const all = processUntilFull();
    isProcessing = false;
    if (!all) pause();
    else if (isPaused && !stopped) input.resume();
    isPaused = !all;
    return all;
  }

  function processUntilFull(): boolean {
    for (;;) {
      if (stopped) return true;
      if (writeBuffer.backpressured || running >= concurrencyLimit) return false;
      const item = framing.next();
      if (item === undefined) return true;
      const reply = typeof item === 'string' ? serve(item) : rejectUnparsable(item, options);
      if (reply instanceof Promise) {
        running++;
        void reply.then(onReply);
      } else if (gap.delay(reply, complete)) running++;
      else answer(reply);
    }
  }

  function onReply(reply: Responses): void {
    if (!gap.delay(reply, complete)) complete(reply);
  }

  function complete(reply: Responses): void {
    running--;
    answer(reply);
    onSettled();
  }

  function pause(): void {
    input.pause();
    if (writeBuffer.backpressured) concurrencyLimit = FIRST_CALLS;
    else raiseTimer ??= setTimeout(raiseLimit, PAUSE);
  }

  function raiseLimit(): void {
    raiseTimer = undefined;
    if (running >= concurrencyLimit && !loading()) concurrencyLimit += FIRST_CALLS;
    onMoreRoom();
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

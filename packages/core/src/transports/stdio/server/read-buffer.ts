import type { Readable } from 'node:stream';
import { ErrorCode } from '../../../jsonrpc/errors.ts';
import type { Framing, Unreadable } from '../../../jsonrpc/framing/framing.ts';
import type { ErrorResponse } from '../../../jsonrpc/message.ts';
import { validatorLoading } from '../../../schema/validator.ts';
import type { Responses } from '../../../server/receive.ts';
import type { WriteBuffer } from './write-buffer.ts';
import type { ProgressGap } from '../../progress-gap.ts';

/** So many calls may be under way before it shows whether their answers are large and find a reader. */
const FIRST_CALLS = 16;
/** While those take their time, as many more are let in after each of these pauses, in milliseconds. */
const PAUSE = 10;

/** Where messages come from, and who serves them. */
export interface ReadBufferOptions {
  input: Pick<Readable, 'pause' | 'resume'>;
  framing: Pick<Framing, 'next'>;
  /** While it is crowded, no message is taken. */
  writeBuffer: Pick<WriteBuffer, 'backpressured'>;
  /** Keeps answers back that must not follow their progress at once. */
  gap: Pick<ProgressGap, 'delay'>;
  /** True while calls can't run yet, so that more of them would only wait. Default: while the validator loads. */
  loading?: () => boolean;
  /** Serves the text of one message. Its promise never rejects. */
  serve: (text: string) => Responses | Promise<Responses>;
  /** Told of the answer to what could not be read as a message. */
  onUnreadable?: (answer: ErrorResponse) => void;
  /** Gets every answer. */
  answer: (reply: Responses) => void;
  /** Called after an answer that had to be waited for: there is room for another call. */
  onSettled: () => void;
  /** Called when more calls may run than before. */
  onMoreRoom: () => void;
}

/** Takes messages as far as there is room for their answers. */
export interface ReadBuffer {
  /** How many calls are under way. */
  readonly running: number;
  /** True while messages are being served: what is said meanwhile goes out with their answers. */
  readonly isProcessing: boolean;
  /** True while messages wait for room. */
  readonly isPaused: boolean;
  /** Serves what has come. True where nothing is left of it. */
  process(): boolean;
  /** Takes no more messages, not even those that have come already. */
  stop(): void;
}

/** Makes the intake of a connection. It stops the input while messages wait, so that nothing piles up. */
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

function rejectUnparsable(item: Unreadable, { onUnreadable }: ReadBufferOptions): ErrorResponse {
  const answer = toErrorResponse(item);
  onUnreadable?.(answer);
  return answer;
}

/** The answer to what could not be read as a message. */
function toErrorResponse({ problem, message }: Unreadable): ErrorResponse {
  const error =
    problem === 'encoding'
      ? { code: ErrorCode.ParseError, message: `Parse error: ${message}` }
      : { code: ErrorCode.InvalidRequest, message: `Invalid request: ${message}` };
  return { jsonrpc: '2.0', id: null, error };
}

import type { Readable } from 'node:stream';
import { ErrorCode } from '../../../jsonrpc/errors.ts';
import type { Framing, Unreadable } from '../../../jsonrpc/framing/framing.ts';
import type { ErrorResponse } from '../../../jsonrpc/message.ts';
import { validatorLoading } from '../../../schema/validator.ts';
import type { Responses } from '../../../server/receive.ts';
import type { Outbox } from './write-buffer.ts';
import type { ProgressGap } from '../../progress-gap.ts';

/** So many calls may be under way before it shows whether their answers are large and find a reader. */
const FIRST_CALLS = 16;
/** While those take their time, as many more are let in after each of these pauses, in milliseconds. */
const PAUSE = 10;

/** Where messages come from, and who serves them. */
export interface IntakeOptions {
  input: Pick<Readable, 'pause' | 'resume'>;
  framing: Pick<Framing, 'next'>;
  /** While it is crowded, no message is taken. */
  outbox: Pick<Outbox, 'crowded'>;
  /** Keeps answers back that must not follow their progress at once. */
  gap: Pick<ProgressGap, 'hold'>;
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
export interface Intake {
  /** How many calls are under way. */
  readonly running: number;
  /** True while messages are being served: what is said meanwhile goes out with their answers. */
  readonly taking: boolean;
  /** True while messages wait for room. */
  readonly holding: boolean;
  /** Serves what has come. True where nothing is left of it. */
  take(): boolean;
  /** Takes no more messages, not even those that have come already. */
  stop(): void;
}

/** Makes the intake of a connection. It stops the input while messages wait, so that nothing piles up. */
export function createIntake(options: IntakeOptions): Intake {
  const { input, framing, outbox, gap, serve, answer, onSettled, onMoreRoom, loading = isLoading } = options;
  let taking = false;
  let holding = false;
  let stopped = false;
  let running = 0;
  let mayRun = FIRST_CALLS;
  let letMoreIn: NodeJS.Timeout | undefined;

  function take(): boolean {
    taking = true;
    const all = takeAll();
    taking = false;
    if (!all) hold();
    else if (holding && !stopped) input.resume();
    holding = !all;
    return all;
  }

  function takeAll(): boolean {
    for (;;) {
      if (stopped) return true;
      if (outbox.crowded || running >= mayRun) return false;
      const item = framing.next();
      if (item === undefined) return true;
      const reply = typeof item === 'string' ? serve(item) : refuse(item, options);
      if (reply instanceof Promise) {
        running++;
        void reply.then(onReply);
      } else if (gap.hold(reply, settle)) running++;
      else answer(reply);
    }
  }

  function onReply(reply: Responses): void {
    if (!gap.hold(reply, settle)) settle(reply);
  }

  function settle(reply: Responses): void {
    running--;
    answer(reply);
    onSettled();
  }

  function hold(): void {
    input.pause();
    if (outbox.crowded) mayRun = FIRST_CALLS;
    else letMoreIn ??= setTimeout(onPause, PAUSE);
  }

  function onPause(): void {
    letMoreIn = undefined;
    if (running >= mayRun && !loading()) mayRun += FIRST_CALLS;
    onMoreRoom();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(letMoreIn);
    input.pause();
  }

  return {
    get running() {
      return running;
    },
    get taking() {
      return taking;
    },
    get holding() {
      return holding;
    },
    take,
    stop,
  };
}

function isLoading(): boolean {
  return validatorLoading() !== undefined;
}

function refuse(item: Unreadable, { onUnreadable }: IntakeOptions): ErrorResponse {
  const answer = refusalOf(item);
  onUnreadable?.(answer);
  return answer;
}

/** The answer to what could not be read as a message. */
function refusalOf({ problem, message }: Unreadable): ErrorResponse {
  const error =
    problem === 'encoding'
      ? { code: ErrorCode.ParseError, message: `Parse error: ${message}` }
      : { code: ErrorCode.InvalidRequest, message: `Invalid request: ${message}` };
  return { jsonrpc: '2.0', id: null, error };
}

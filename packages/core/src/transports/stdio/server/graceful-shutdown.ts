import type { ReadBuffer } from './read-buffer.ts';
import type { WriteBuffer } from './write-buffer.ts';

/**
 * The stage of a connection. `ending`: the input has ended, buffered messages are still processed. `answering`: all
 * messages are processed, calls still run. `flushing`: all calls are answered, the client has not read all answers yet.
 */
export type Stage = 'open' | 'ending' | 'answering' | 'flushing' | 'closed';

/** Options of a graceful shutdown: the grace period, and a callback for each stage. */
export interface GracefulShutdownOptions {
  /** The grace period of calls after the end of input, or after the last answer while messages are buffered, in milliseconds. */
  grace: number;
  writeBuffer: Pick<WriteBuffer, 'empty' | 'flush'>;
  readBuffer: Pick<ReadBuffer, 'running'>;
  /** Ends calls that would never finish: all messages are processed, and no more will come. */
  finish: () => void;
  /** Sends delayed answers. */
  releaseDelayed: () => void;
  /** Rejects the calls that exceeded the grace period. */
  rejectPending: () => void;
  /** Releases all resources: nothing is sent from then on. */
  release: () => void;
}

/** The shutdown of a connection. Each stage is entered once, from the one before or by `end`. */
export interface GracefulShutdown {
  readonly stage: Stage;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  /** Starts the shutdown and the grace period. False if it had started before. */
  begin(): boolean;
  /** Shortens the grace period. A `fixed` one starts now and is not renewed by answers. */
  shortenGrace(graceMs: number, how?: { fixed: boolean }): void;
  /** Must be called when all buffered messages are processed. */
  onAllProcessed(): void;
  /** Must be called when a call is answered. */
  onAnswered(): void;
  /** Must be called when the client has read something. */
  onWritten(): void;
  /** Closes immediately: the client disconnected, or everything was sent. */
  end(): void;
}

/** Shuts down a connection gracefully, with timeouts. */
export function createGracefulShutdown(options: GracefulShutdownOptions): GracefulShutdown {
  const { grace, writeBuffer, readBuffer, finish, releaseDelayed, rejectPending, release } = options;
  const timer = new ShutdownTimer(grace);
  let resolveClosed: () => void;
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  function begin(): boolean {
    if (shutdown.stage !== 'open') return false;
    shutdown.stage = 'ending';
    timer.waitForCalls(onGraceOver);
    return true;
  }

  function shortenGrace(graceMs: number, how = { fixed: false }): void {
    if (timer.isFixed || shutdown.stage === 'closed') return;
    timer.shorten(graceMs, how);
    if (shutdown.stage === 'flushing') timer.waitForReader(end);
    else if (shutdown.stage !== 'open') timer.waitForCalls(onGraceOver);
  }

  function finishCalls(): void {
    if (shutdown.stage !== 'ending') return;
    shutdown.stage = 'answering';
    finish();
    onAnswered();
  }

  function onAnswered(): void {
    // Buffered messages are all answered. A running call gets no more time by answers to others.
    if (shutdown.stage === 'ending') timer.renew();
    if (shutdown.stage === 'answering' && readBuffer.running === 0) flushAnswers();
  }

  function onGraceOver(): void {
    finishCalls();
    releaseDelayed();
    rejectPending();
    // The rejections arrive in this tick. A call without an answer even then is abandoned.
    setImmediate(flushAnswers);
  }

  function flushAnswers(): void {
    if (shutdown.stage !== 'answering') return;
    shutdown.stage = 'flushing';
    timer.waitForReader(end);
    writeBuffer.flush();
    if (writeBuffer.empty) end();
  }

  function onWritten(): void {
    if (shutdown.stage !== 'answering') timer.renew();
    if (shutdown.stage === 'flushing' && writeBuffer.empty) end();
  }

  function end(): void {
    if (shutdown.stage === 'closed') return;
    shutdown.stage = 'closed';
    timer.stop();
    release();
    resolveClosed();
  }

  const shutdown: { stage: Stage } & Omit<GracefulShutdown, 'stage'> = {
    stage: 'open',
    closed,
    begin,
    shortenGrace,
    onAllProcessed: finishCalls,
    onAnswered,
    onWritten,
    end,
  };
  return shutdown;
}

/** The minimum time for a slow reader to read the last answers, in milliseconds. */
const STALL = 1000;

/** The timeouts of a shutdown: first for running calls, then for the reader of their answers. */
class ShutdownTimer {
  #ms: number;
  #isFixed = false;
  #isForCalls = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get isFixed(): boolean {
    return this.#isFixed;
  }

  /** Shortens the grace period. A fixed one is not renewed by answers. */
  shorten(ms: number, { fixed }: { fixed: boolean }): void {
    this.#ms = Math.min(this.#ms, ms);
    this.#isFixed = fixed;
  }

  /** Waits for calls, starting now. */
  waitForCalls(onOver: () => void): void {
    this.stop();
    this.#isForCalls = true;
    this.#timer = setTimeout(onOver, this.#ms);
  }

  /** Waits for the reader, starting now: the grace period, but at least the minimum. */
  waitForReader(onOver: () => void): void {
    this.stop();
    this.#isForCalls = false;
    this.#timer = setTimeout(onOver, this.#isFixed ? STALL : Math.max(STALL, this.#ms));
  }

  /** Restarts the timeout: a client that gets or reads answers is alive. */
  renew(): void {
    if (!(this.#isFixed && this.#isForCalls)) this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

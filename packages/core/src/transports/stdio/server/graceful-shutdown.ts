import type { ReadBuffer } from './read-buffer.ts';
import type { WriteBuffer } from './write-buffer.ts';
import { ShutdownTimer } from './shutdown-timer.ts';

/**
 * How far a connection is. `ending`: no more input comes, what has come is still taken. `answering`: everything is
 * taken, calls still run. `flushing`: everything is answered, the answers still wait for the client.
 */
export type Stage = 'open' | 'ending' | 'answering' | 'flushing' | 'closed';

/** What is to be done on the way to the end. */
export interface GracefulShutdownOptions {
  /** How long calls may go on after the end of input, or after the last answer while messages still wait, in milliseconds. */
  grace: number;
  writeBuffer: Pick<WriteBuffer, 'empty' | 'flush'>;
  /** Tells how many calls are under way. */
  readBuffer: Pick<ReadBuffer, 'running'>;
  /** Ends what would wait for ever: every message is taken, and the client says nothing more. */
  finish: () => void;
  /** Gives the answers that are kept back. */
  releaseDelayed: () => void;
  /** Answers the calls that outlasted the grace period. */
  rejectPending: () => void;
  /** Lets everything go: nothing is sent any more. */
  release: () => void;
}

/** The end of a connection, stage by stage. Each stage is entered once, and only from the one before or by `end`. */
export interface GracefulShutdown {
  readonly stage: Stage;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  /** Begins the end, and the grace period. False where that was done before. */
  begin(): boolean;
  /** Makes the grace period shorter. A `fixed` one counts from now, whatever is still answered. */
  hurry(graceMs: number, how?: { fixed: boolean }): void;
  /** Must be called when every message that came is taken. */
  onAllTaken(): void;
  /** Must be called when a call is answered. */
  onAnswered(): void;
  /** Must be called when the client has read something. */
  onWritten(): void;
  /** Closes at once: the client is gone, or there is nothing more to tell it. */
  end(): void;
}

/** Leads a connection to its end: in order, but not for ever. */
export function createGracefulShutdown(options: GracefulShutdownOptions): GracefulShutdown {
  const { grace, writeBuffer, readBuffer, finish, releaseDelayed, rejectPending, release } = options;
  const timer = new ShutdownTimer(grace);
  let stage: Stage = 'open';
  let resolveClosed: () => void;
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  function begin(): boolean {
    if (stage !== 'open') return false;
    stage = 'ending';
    timer.waitForCalls(onGraceOver);
    return true;
  }

  function hurry(graceMs: number, how = { fixed: false }): void {
    if (timer.isFixed || stage === 'closed') return;
    timer.shorten(graceMs, how);
    if (stage === 'flushing') timer.waitForReader(end);
    else if (stage !== 'open') timer.waitForCalls(onGraceOver);
  }

  function finishCalls(): void {
    if (stage !== 'ending') return;
    stage = 'answering';
    finish();
    onAnswered();
  }

  function onAnswered(): void {
    // A client that sent more than is taken at once gets all of it answered. Answers to others give a running call no more time.
    if (stage === 'ending') timer.renew();
    if (stage === 'answering' && readBuffer.running === 0) flushAnswers();
  }

  function onGraceOver(): void {
    finishCalls();
    releaseDelayed();
    rejectPending();
    // The answers just given arrive in this turn. A call that gives none even now is not waited for.
    setImmediate(flushAnswers);
  }

  function flushAnswers(): void {
    if (stage !== 'answering') return;
    stage = 'flushing';
    timer.waitForReader(end);
    writeBuffer.flush();
    if (writeBuffer.empty) end();
  }

  function onWritten(): void {
    if (stage !== 'answering') timer.renew();
    if (stage === 'flushing' && writeBuffer.empty) end();
  }

  function end(): void {
    if (stage === 'closed') return;
    stage = 'closed';
    timer.stop();
    release();
    resolveClosed();
  }

  return {
    get stage() {
      return stage;
    },
    closed,
    begin,
    hurry,
    onAllTaken: finishCalls,
    onAnswered,
    onWritten,
    end,
  };
}

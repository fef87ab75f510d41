import { writeSync } from 'node:fs';
import { type ReportStrayError, reportStrayErrors } from '../../stray-errors.ts';

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** What happens to the process as a whole. */
export interface ProcessEvents {
  /** The process was asked to end. Asked a second time, it ends at once. */
  onSignal: () => void;
  /** An error that nobody caught, in code that belongs to no request any more. The process goes on. */
  onStrayError: ReportStrayError;
}

/** How often the client is checked after the end of input, in milliseconds. */
const CHECK_INTERVAL = 500;

/** How a client shows that it is gone, where nothing is written to it. */
export interface ClientEvents {
  /** The process that started this one has ended. */
  onParentExit: () => void;
  /** Nobody can read stdout any more. */
  onReaderClosed: () => void;
}

/** Checks from now on whether the parent process, by its id, still runs and whether stdout still has a reader. */
export function watchClient(parent: number, { onParentExit, onReaderClosed }: ClientEvents): void {
  const check = (): void => {
    const readerClosed = isReaderClosed();
    if (!readerClosed && process.ppid === parent) return;
    clearInterval(timer);
    if (readerClosed) onReaderClosed();
    else onParentExit();
  };
  const timer = setInterval(check, CHECK_INTERVAL).unref();
  check();
}

/**
 * An empty write to a socket without a peer fails; that is what stdout is where the client runs on Node. An empty write to a
 * pipe always succeeds: a closed one shows at the next answer. On Windows an empty write would look like the end of output.
 */
function isReaderClosed(): boolean {
  if (process.platform === 'win32') return false;
  try {
    writeSync(process.stdout.fd, '');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE';
  }
}

/** Answers for the process, up to its end: for signals and stray errors that would end it without order. */
export function ownProcess({ onSignal, onStrayError }: ProcessEvents): void {
  let asked = false;
  const signalled = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(128 + signalNumbers[signal as keyof typeof signalNumbers]);
    asked = true;
    onSignal();
  };
  process.on('SIGINT', signalled).on('SIGTERM', signalled);
  reportStrayErrors(onStrayError);
}

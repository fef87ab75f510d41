import { writeSync } from 'node:fs';
import { type ReportUnhandledError, reportUnhandledErrors } from '../../unhandled-errors.ts';

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Events of the process. */
export interface ProcessEvents {
  /** A signal asked the process to end. A second one ends it at once. */
  onSignal: () => void;
  /** An unhandled error outside of any request. The process goes on. */
  onStrayError: ReportUnhandledError;
}

/** The interval of client checks after the end of input, in milliseconds. */
const CHECK_INTERVAL = 500;

/** Signs that the client is gone, while nothing is written to it. */
export interface ClientEvents {
  /** The parent process has ended. */
  onParentExit: () => void;
  /** Nobody can read stdout any more. */
  onReaderClosed: () => void;
}

/** Checks from now on whether the parent process still exists and whether stdout still has a reader. */
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
 * An empty write to a socket without a peer fails; stdout is a socket if the client runs on Node. An empty write to a pipe
 * always succeeds: the next answer shows that it is closed. On Windows an empty write would look like the end of output.
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

/** Handles signals and unhandled errors, which would otherwise end the process abruptly. */
export function handleProcessEvents({ onSignal, onStrayError }: ProcessEvents): void {
  let asked = false;
  const signalled = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(128 + signalNumbers[signal as keyof typeof signalNumbers]);
    asked = true;
    onSignal();
  };
  process.on('SIGINT', signalled).on('SIGTERM', signalled);
  reportUnhandledErrors(onStrayError);
}

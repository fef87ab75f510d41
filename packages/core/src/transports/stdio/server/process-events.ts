import { type ReportUnhandledError, reportUnhandledErrors } from '../../unhandled-errors.ts';

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Events of the process. */
export interface ProcessEvents {
  /** A signal asked the process to end. A second one ends it at once. */
  onSignal: () => void;
  /** An unhandled error outside of any request. The process goes on. */
  onStrayError: ReportUnhandledError;
}

/** The interval of parent checks, in milliseconds. */
const LOOK = 500;

/** Checks from now on whether the parent process still exists, and calls `onGone` if not. */
export function watchParent(parent: number, onGone: () => void): void {
  const look = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(look, LOOK).unref();
  look();
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

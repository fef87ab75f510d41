import { type ReportUnhandledError, reportUnhandledErrors } from '../../unhandled-errors.ts';

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Events of the process. */
export interface ProcessEvents {
  /** A signal requested shutdown. A second one ends the process immediately. */
  onSignal: () => void;
  /** An unhandled error outside of any request. The process is kept alive. */
  onUnhandledError: ReportUnhandledError;
}

/** Handles signals and unhandled errors, which would otherwise end the process abruptly. */
export function handleProcessEvents({ onSignal, onUnhandledError }: ProcessEvents): void {
  let isSignalled = false;
  const signalled = (signal: NodeJS.Signals): void => {
    if (isSignalled) process.exit(128 + signalNumbers[signal as keyof typeof signalNumbers]);
    isSignalled = true;
    onSignal();
  };
  process.on('SIGINT', signalled).on('SIGTERM', signalled);
  reportUnhandledErrors(onUnhandledError);
}

/** True for an output error that is more than a closed reader. */
export function isUnexpectedError({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'EPIPE' && code !== 'ECONNRESET';
}

import { type ReportUnhandledError, reportUnhandledErrors } from '../../unhandled-errors.ts';

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** What happens to the process as a whole. */
export interface ProcessEvents {
  /** The process was asked to end. Asked a second time, it ends at once. */
  onSignal: () => void;
  /** An error that nobody caught, in code that belongs to no request any more. The process goes on. */
  onStrayError: ReportUnhandledError;
}

/** How often it is looked whether the parent is still there, in milliseconds. */
const LOOK = 500;

/** Looks from now on whether the process that started this one, with the id given, is still there, and tells if not. */
export function watchParent(parent: number, onGone: () => void): void {
  const look = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(look, LOOK).unref();
  look();
}

/** Answers for the process, up to its end: for signals and stray errors that would end it without order. */
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

const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** What happens to the process as a whole. */
export interface ProcessEvents {
  /** The process was asked to end. Asked a second time, it ends at once. */
  onSignal: () => void;
  /** An error that nobody caught, in code that belongs to no request any more. The process goes on. */
  onStrayError: (what: string, error: unknown) => void;
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
  process.on('unhandledRejection', (reason) => onStrayError('Unhandled rejection', reason));
  process.on('uncaughtException', (error) => onStrayError('Uncaught exception', error));
}

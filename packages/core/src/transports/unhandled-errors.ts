import { ignoreStderrErrors } from '../server/stderr.ts';
import { limits } from '../limits.ts';

/** Takes an error that nobody caught, and what it was. */
export type ReportUnhandledError = (what: string, error: unknown) => void;

/** So many are reported in a second; the others are counted. */
const maxPerSecond = limits.server.strayErrors.value;

/** Known to every copy of this module that the process has: none takes another's listeners for the program's own. */
const mark = Symbol.for('ccmcp.strayErrors');

const reporters = new Set<ReportUnhandledError>();
let stopListening = (): void => {};
let second = 0;
let reported = 0;
let leftOut = 0;

/**
 * Reports errors that nobody caught, in code that belongs to no request any more, and lets the process go on, until the
 * function returned is called. A program that listens for them itself decides alone.
 */
export function reportUnhandledErrors(report: ReportUnhandledError): () => void {
  if (reporters.size === 0) stopListening = listen();
  reporters.add(report);
  return () => {
    if (reporters.delete(report) && reporters.size === 0) stopListening();
  };
}

function listen(): () => void {
  const onRejection = markListener((reason: unknown) => onError('unhandledRejection', 'Unhandled rejection', reason));
  const onException = markListener((error: unknown) => onError('uncaughtException', 'Uncaught exception', error));
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException);
  return () => process.off('unhandledRejection', onRejection).off('uncaughtException', onException);
}

function markListener<T extends object>(listener: T): T {
  return Object.assign(listener, { [mark]: true });
}

function onError(event: 'unhandledRejection' | 'uncaughtException', what: string, error: unknown): void {
  if (process.listeners(event as 'uncaughtException').some((listener) => !(mark in listener))) return;
  // It may come from a log that writes to stderr: to report that must not bring the next one.
  ignoreStderrErrors();
  if (!mayReport()) {
    leftOut += 1;
    return;
  }
  const more = leftOut === 0 ? '' : ` (${leftOut} others before it were left out)`;
  leftOut = 0;
  // It concerns the process, not a server: one tells it.
  const [report] = reporters;
  report?.(`${what}${more}`, error);
}

/** An error that is made by reporting one comes again and again, and at once. */
function mayReport(): boolean {
  const now = Math.floor(performance.now() / 1000);
  if (now !== second) {
    second = now;
    reported = 0;
  }
  reported += 1;
  return reported <= maxPerSecond;
}

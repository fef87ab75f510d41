import { ignoreStderrErrors } from '../server/log/stderr.ts';

/** Reports an unhandled error, with its kind. */
export type ReportUnhandledError = (what: string, error: unknown) => void;

/** Throttles reports: more errors per second are only counted. */
const maxPerSecond = 20;

/** Shared by all copies of this module in the process, so that none takes another's listeners for the program's. */
const mark = Symbol.for('ccmcp.strayErrors');

const reporters = new Set<ReportUnhandledError>();
let stopListening = (): void => {};
let second = 0;
let reported = 0;
let suppressed = 0;

/**
 * Reports unhandled errors outside of any request and keeps the process alive, until the returned function is called. A
 * program with its own listeners decides alone.
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
  // The error may come from a log that writes to stderr: reporting it must not cause the next one.
  ignoreStderrErrors();
  if (!mayReport()) {
    suppressed += 1;
    return;
  }
  const more = suppressed === 0 ? '' : ` (${suppressed} others before it were suppressed)`;
  suppressed = 0;
  // It concerns the process, not a server, so one reporter is enough.
  const [report] = reporters;
  report?.(`${what}${more}`, error);
}

/** False above the rate limit: an error caused by reporting one would repeat endlessly. */
function mayReport(): boolean {
  const now = Math.floor(performance.now() / 1000);
  if (now !== second) {
    second = now;
    reported = 0;
  }
  reported += 1;
  return reported <= maxPerSecond;
}

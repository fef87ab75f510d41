import { type LogLevel, isAtLeast } from '../../protocol/logging.ts';
import { briefJson, escapeUnseen } from '../../jsonrpc/text.ts';
import { thisWorker } from '../../runtime/worker-process.ts';
import { writeToStderr } from './stderr.ts';

/** One line of a server's own log. */
export interface LogEntry {
  level: LogLevel;
  logger: string;
  data: unknown;
  /** The cause, with its stack: for the server's log only. */
  error?: unknown;
}

/** The destination of a server's log. Entries below `level` are not created. */
export interface Logger {
  level: LogLevel;
  write(entry: LogEntry): void;
}

/** Maximum unread characters on stderr; further lines are dropped and counted. */
const maxUnread = 1024 * 1024;

/**
 * A logger that writes to stderr: JSON lines, or readable text on a terminal. Dropped lines are counted, and reported
 * with the next line.
 */
export function stderrLogger(level: LogLevel): Logger {
  let leftOut = 0;
  return {
    level,
    write(entry) {
      const before = leftOut;
      leftOut = 0;
      const text = before === 0 ? lineOf(entry) : lineOf(leftOutEntry(before, entry.logger)) + lineOf(entry);
      writeToStderr(text, {
        maxUnread,
        done(written) {
          if (!written) leftOut += before + 1;
        },
      });
    },
  };
}

/**
 * Wraps an author's logger so that its errors never fail a call. Lost entries are counted, and reported when it works
 * again.
 */
export function guardedLogger(logger: Logger): Logger {
  let leftOut = 0;
  const write = (entry: LogEntry, entries: number): void => {
    const failed = (): void => {
      leftOut += entries;
    };
    try {
      // Typed as void, but async functions are assignable.
      const writing: unknown = logger.write(entry);
      if (writing instanceof Promise) writing.catch(failed);
    } catch {
      failed();
    }
  };
  return {
    get level() {
      return logger.level;
    },
    write(entry) {
      const before = leftOut;
      leftOut = 0;
      if (before > 0) write(leftOutEntry(before, entry.logger), before);
      // If even that failed, this entry is lost too.
      if (leftOut > 0) leftOut += 1;
      else write(entry, 1);
    },
  };
}

/** True if the logger's level includes this one. */
export function isEnabled(logger: Logger, level: LogLevel): boolean {
  return isAtLeast(level, logger.level);
}

function leftOutEntry(count: number, logger: string): LogEntry {
  return {
    level: 'warning',
    logger,
    data: count === 1 ? '1 log entry was left out' : `${count} log entries were left out`,
  };
}

function lineOf({ error, ...entry }: LogEntry): string {
  const time = new Date().toISOString();
  const worker = thisWorker()?.number;
  const head = worker === undefined ? { time } : { time, worker };
  try {
    const whole = error === undefined ? { ...head, ...entry } : { ...head, ...entry, error: describe(error) };
    // Not every runtime has a stderr.
    if (globalThis.process?.stderr?.isTTY) return logText(whole);
    return `${escapeUnseen(JSON.stringify(whole))}\n`;
  } catch {
    const { level, logger } = entry;
    return `${JSON.stringify({ time, level, logger, data: 'An entry that can not be written as JSON' })}\n`;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The display form of a log entry. */
interface ShownEntry {
  time: string;
  /** The worker that logs. */
  worker?: number;
  level: string;
  logger: string;
  data: unknown;
  /** The cause, with its stack. */
  error?: string;
}

/** Formats an entry for a terminal: one line, and below it the indented error with its stack. */
export function logText({ time, worker, level, logger, data, error }: ShownEntry): string {
  const words = typeof data === 'string' ? data : briefJson(data, Number.POSITIVE_INFINITY);
  // Escapes newlines of clients, to prevent log injection.
  const who = worker === undefined ? '' : `[worker ${worker}] `;
  const first = `${time.slice(11, 19)} ${who}${level} ${logger}: ${words}`.replaceAll('\n', '\\n');
  const below = error === undefined ? '' : `\n${error}`.replaceAll('\n', '\n    ');
  return `${escapeUnseen(first + below)}\n`;
}

import { type LogLevel, reaches } from '../protocol/logging.ts';
import { limits } from '../limits.ts';

/** One line of a server's own log. */
export interface LogEntry {
  level: LogLevel;
  logger: string;
  data: unknown;
  /** The error behind the entry, with its stack: for this side only. */
  error?: unknown;
}

/** Where a server's own log goes. Entries below `level` are not even made. */
export interface Logger {
  level: LogLevel;
  write(entry: LogEntry): void;
}

/** When nobody reads stderr, this many characters may wait there; what comes then is left out and counted. */
const maxUnread = limits.server.unreadLog.value;

/** A logger that writes JSON lines to stderr. */
export function stderrLogger(level: LogLevel): Logger {
  let leftOut = 0;
  const write = (entry: object): void => {
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
  };
  return {
    level,
    write({ error, ...entry }) {
      if (process.stderr.writableLength > maxUnread) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) write({ level: 'warning', logger: entry.logger, data: `${leftOut} log entries were left out` });
      leftOut = 0;
      write(error === undefined ? entry : { ...entry, error: describe(error) });
    },
  };
}

/** True where the logger wants entries of this level. */
export function wants(logger: Logger, level: LogLevel): boolean {
  return reaches(level, logger.level);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

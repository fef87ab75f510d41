import { escapeUnseen } from '../jsonrpc/unseen.ts';

/** What is shown of an entry of a log. */
export interface ShownEntry {
  time: string;
  level: string;
  logger: string;
  data: unknown;
  /** The error behind it, with its stack. */
  error?: string;
}

/** An entry as a person at a terminal reads it: one line, and indented below it the error with its stack. */
export function logText({ time, level, logger, data, error }: ShownEntry): string {
  const words = typeof data === 'string' ? data : JSON.stringify(data);
  // Whatever a client got into it makes no line that could pass for an entry of its own.
  const first = `${time.slice(11, 19)} ${level} ${logger}: ${words}`.replaceAll('\n', '\\n');
  const below = error === undefined ? '' : `\n${error}`.replaceAll('\n', '\n    ');
  return `${escapeUnseen(first + below)}\n`;
}

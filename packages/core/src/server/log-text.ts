import { briefJson } from '../jsonrpc/brief-json.ts';
import { escapeUnseen } from '../jsonrpc/unseen.ts';

/** What is shown of an entry of a log. */
export interface ShownEntry {
  time: string;
  /** Which of several workers says it. */
  worker?: number;
  level: string;
  logger: string;
  data: unknown;
  /** The error behind it, with its stack. */
  error?: string;
}

/** An entry as a person at a terminal reads it: one line, and indented below it the error with its stack. */
export function logText({ time, worker, level, logger, data, error }: ShownEntry): string {
  const words = typeof data === 'string' ? data : briefJson(data, Number.POSITIVE_INFINITY);
  // Whatever a client got into it makes no line that could pass for an entry of its own.
  const who = worker === undefined ? '' : `[worker ${worker}] `;
  const first = `${time.slice(11, 19)} ${who}${level} ${logger}: ${words}`.replaceAll('\n', '\\n');
  const below = error === undefined ? '' : `\n${error}`.replaceAll('\n', '\n    ');
  return `${escapeUnseen(first + below)}\n`;
}

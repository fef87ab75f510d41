import { ownStack } from '../own-frames.ts';
import { shownJson } from '../print.ts';

/** An entry of a server's own log, as servers of this library write it to stderr when that is no terminal. */
interface LogLine {
  data: unknown;
  /** What was thrown, with its stack. */
  error?: string;
}

/** What a line on a server's stderr is: something that was thrown, in words; other entries of its log; or any text. */
export function readLogLine(line: string): { kind: 'error'; text: string } | { kind: 'entry' | 'text' } {
  const entry = entryIn(line);
  if (entry === undefined) return { kind: 'text' };
  return entry.error === undefined ? { kind: 'entry' } : { kind: 'error', text: errorText(entry.data, entry.error) };
}

function entryIn(line: string): LogLine | undefined {
  if (!line.startsWith('{"time":')) return undefined;
  try {
    const { level, logger, data, error } = JSON.parse(line) as Record<string, unknown>;
    if (typeof level !== 'string' || typeof logger !== 'string') return undefined;
    return { data, ...(typeof error === 'string' && { error }) };
  } catch {
    return undefined;
  }
}

/** The message and the lines in the author's own files. */
function errorText(data: unknown, error: string): string {
  const what = typeof data === 'string' ? data : shownJson(data);
  const { message, frames } = ownStack(error);
  return [`${what}: ${message}`, ...frames.map((frame) => `    ${frame}`)].join('\n');
}

import { userStack } from '../../system/user-frames.ts';
import { safeJson } from '../../terminal/print.ts';
import { parseRecord } from '../../system/record.ts';

/** Listens to the stderr of a started server. */
export interface StderrListener {
  /** Called with each error in its log. */
  error(text: string): void;
  /** Called with every other line once the server has answered. Absent: lines are only buffered. */
  line?(text: string): void;
}

const maxLines = 20;
const maxLineLength = 4000;

/** The stderr of a started server: errors go to the listener, and the last lines are kept for a failure. */
export class ServerStderr {
  readonly errors: string[] = [];
  /** The last lines since `connected`, without those of its log. */
  recent: string[] = [];
  listener: StderrListener | undefined;
  /** Whether the server has answered. A failure to connect quotes the lines before that. */
  isConnected = false;
  #rest = '';

  /** Adds a chunk of text. */
  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-maxLineLength * 10);
    for (const line of lines) this.#take(line.replace(/\r$/, ''));
  }

  /** Marks the server as connected: flushes the buffered lines to the listener. */
  connected(): void {
    this.isConnected = true;
    for (const line of this.recent) this.listener?.line?.(line);
    this.recent = [];
  }

  /** Removes the listener. */
  mute(): void {
    this.listener = undefined;
  }

  #take(line: string): void {
    const read = readLogLine(line);
    if (read.kind === 'error') {
      this.errors.push(read.text);
      if (this.errors.length > maxLines) this.errors.shift();
      this.listener?.error(read.text);
    } else if (read.kind === 'text' && line.trim() !== '') {
      const shown = line.slice(0, maxLineLength);
      this.recent = [...this.recent, shown].slice(-maxLines);
      if (this.isConnected) this.listener?.line?.(shown);
    }
  }
}

/** An entry of a server's own log, as servers of this library write it to stderr when that is no terminal. */
interface LogLine {
  data: unknown;
  /** The error with its stack. */
  error?: string;
}

/** Classifies a line of stderr: an error of the server's log, another log entry, or text. */
function readLogLine(line: string): { kind: 'error'; text: string } | { kind: 'entry' | 'text' } {
  const entry = entryIn(line);
  if (entry === undefined) return { kind: 'text' };
  return entry.error === undefined ? { kind: 'entry' } : { kind: 'error', text: errorText(entry.data, entry.error) };
}

function entryIn(line: string): LogLine | undefined {
  if (!line.startsWith('{"time":')) return undefined;
  const { level, logger, data, error } = parseRecord(line) ?? {};
  if (typeof level !== 'string' || typeof logger !== 'string') return undefined;
  return { data, ...(typeof error === 'string' && { error }) };
}

/** The message and the lines in the author's own files. */
function errorText(data: unknown, error: string): string {
  const what = typeof data === 'string' ? data : safeJson(data);
  const { message, frames } = userStack(error);
  return [`${what}: ${message}`, ...frames.map((frame) => `    ${frame}`)].join('\n');
}

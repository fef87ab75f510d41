import { Buffer } from 'node:buffer';
import { limits } from '../../../limits.ts';
import { writeToStderr } from '../../../server/stderr.ts';
import type { Write } from './write-buffer.ts';

/** Above this many unread characters on stderr, what strays there is dropped. */
const MAX_STRAY = limits.stdio.strayOutput.value;

/** The process's stdout, kept for one purpose. */
export interface ReservedStdout {
  readonly write: Write;
  /** Gives stdout back. */
  release(): void;
}

/** Keeps stdout for the holder: whatever else writes to it, `console.log` included, writes to stderr instead. */
export function reserveStdout(): ReservedStdout {
  const { stdout } = process;
  const own = Object.getOwnPropertyDescriptor(stdout, 'write');
  const write = stdout.write.bind(stdout);
  stdout.write = stray;
  return {
    write: (text, done) => write(text, done),
    release() {
      if (stdout.write !== stray) return;
      if (own === undefined) Reflect.deleteProperty(stdout, 'write');
      else Object.defineProperty(stdout, 'write', own);
    },
  };
}

type Done = (error?: Error | null) => void;

function stray(chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean {
  const callback = typeof encoding === 'function' ? encoding : done;
  const bytes = typeof encoding === 'string' && typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  // Whoever wrote to stdout does not answer for a stderr that is full or gone.
  writeToStderr(bytes, { maxUnread: MAX_STRAY, done: callback && (() => process.nextTick(callback)) });
  // A writer told to wait would wait for stdout to drain, and stdout is not what it wrote to.
  return true;
}

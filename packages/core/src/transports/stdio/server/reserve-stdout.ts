import { Buffer } from 'node:buffer';
import { limits } from '../../../limits.ts';
import { writeToStderr } from '../../../server/observe/stderr.ts';
import type { Write } from './write-buffer.ts';

/** Stray output is dropped above this many unread characters on stderr. */
const MAX_STRAY = limits.stdio.strayOutput.value;

/** The process's stdout, reserved for messages. */
export interface ReservedStdout {
  readonly write: Write;
  /** Restores stdout. */
  release(): void;
}

/** Reserves stdout for messages: any other output, `console.log` included, goes to stderr. */
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
  // The writer is not responsible for a stderr that is full or closed.
  writeToStderr(bytes, { maxUnread: MAX_STRAY, done: callback && (() => process.nextTick(callback)) });
  // A writer that is asked to wait would wait for stdout to drain, to which it did not write.
  return true;
}

import { hasNode } from '../../runtime/kind.ts';

/** Options of a write to stderr. */
export interface StderrOptions {
  /** What may wait there for a reader, in characters or bytes; where more waits, nothing is written. */
  maxUnread: number;
  /** Called with whether it was written: at once where it can't be tried, else when that is known. */
  done?: ((written: boolean) => void) | undefined;
}

/** Writes to stderr. Never throws and never waits: a stderr that is full, slow or gone must not harm a server. */
export function writeToStderr(chunk: string | Uint8Array, { maxUnread, done }: StderrOptions): void {
  try {
    if (!hasNode) return writeToConsole(chunk, done);
    ignoreStderrErrors();
    if (process.stderr.writableLength > maxUnread) done?.(false);
    else process.stderr.write(chunk, done && ((error?: Error | null) => done(error === null || error === undefined)));
  } catch {
    done?.(false);
  }
}

/** Where a process has no stderr, its console goes where a log belongs. */
function writeToConsole(chunk: string | Uint8Array, done: StderrOptions['done']): void {
  const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  // oxlint-disable-next-line no-console -- there is nothing else
  console.error(text.replace(/\n$/, ''));
  done?.(true);
}

/** From here on, no error of stderr ends the process. It may work again later: a reader comes back, a disk has room. */
export function ignoreStderrErrors(): void {
  const { stderr } = process;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
}

function ignore(): void {}

import { hasNode } from '../../runtime/kind.ts';

/** Options of a write to stderr. */
export interface StderrOptions {
  /** Maximum unread output, in characters or bytes; beyond it, output is dropped. */
  maxUnread: number;
  /** Called with whether it was written: immediately if it was dropped, otherwise when the write completes. */
  done?: ((written: boolean) => void) | undefined;
}

/** Writes to stderr. Never throws and never blocks: a full, slow or closed stderr must not affect a server. */
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

/** Without stderr, such as in workers, the console is the log. */
function writeToConsole(chunk: string | Uint8Array, done: StderrOptions['done']): void {
  const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  // oxlint-disable-next-line no-console -- there is nothing else
  console.error(text.replace(/\n$/, ''));
  done?.(true);
}

/** Ignores errors of stderr. It may work again later: a reader reconnects, a disk has room. */
export function ignoreStderrErrors(): void {
  const { stderr } = process;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
}

function ignore(): void {}

// Loaded late: `node:fs` brings along most of what Node knows of files.
import { writeSync } from 'node:fs';

/** The interval of client checks after the end of input, in milliseconds. */
const CHECK_INTERVAL = 500;

/** Signs that the client disconnected, noticed without writing to it. */
export interface ClientEvents {
  /** The parent process has ended. */
  onParentExit: () => void;
  /** The reader of stdout closed it. */
  onReaderClosed: () => void;
}

/** Checks from now on whether the parent process still exists and whether stdout still has a reader. */
export function watchClient(parent: number, { onParentExit, onReaderClosed }: ClientEvents): void {
  const check = (): void => {
    const readerClosed = isReaderClosed();
    if (!readerClosed && process.ppid === parent) return;
    clearInterval(timer);
    if (readerClosed) onReaderClosed();
    else onParentExit();
  };
  const timer = setInterval(check, CHECK_INTERVAL).unref();
  check();
}

/**
 * An empty write to a socket without a peer fails; stdout is a socket if the client runs on Node. An empty write to a pipe
 * always succeeds: the next answer shows that it is closed. On Windows an empty write would look like the end of output.
 */
function isReaderClosed(): boolean {
  if (process.platform === 'win32') return false;
  try {
    writeSync(process.stdout.fd, '');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE';
  }
}

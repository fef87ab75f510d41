import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that was used just now is alive, as far as anybody can know. */
const surelyAliveMs = 1;
/** How long a server keeps an idle connection that does not say: the shortest that is usual is 5 s. */
const usualMs = 5000;
/** So much earlier it is not used any more: the server may be closing it while a request is on its way. */
const marginMs = 1000;

interface KeptConnection {
  /** When it was used last, and how long it may be idle after that. */
  at: number;
  mostIdleMs: number;
}

const idleConnections = new WeakMap<Socket, KeptConnection>();

/** Notes that a server has just answered on a connection, and for how long it says that it keeps it. */
export function recordKeepAlive({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): void {
  const at = performance.now();
  const known = idleConnections.get(socket);
  // A server says the same of a connection each time, and reading it costs more than the rest.
  if (known !== undefined) known.at = at;
  else idleConnections.set(socket, { at, mostIdleMs: maxIdleOf(headers['keep-alive']) });
}

/**
 * Calls `write` where a connection that was kept open can be used, and ends it where not: it was idle for nearly as long as the
 * server keeps it, or turns out to be closed once what has arrived is looked at.
 */
export function writeIfAlive(socket: Socket, write: () => void): void {
  const { at, mostIdleMs } = idleConnections.get(socket) ?? { at: Number.NEGATIVE_INFINITY, mostIdleMs: 0 };
  const idleMs = performance.now() - at;
  if (idleMs < surelyAliveMs) return write();
  if (idleMs >= mostIdleMs) return void socket.destroy();
  // The end of a connection that came while this process was busy is read before this is called.
  setImmediate(() => {
    if (socket.destroyed) return;
    if (socket.readableEnded) socket.destroy();
    else write();
  });
}

function maxIdleOf(hint: string | string[] | undefined): number {
  const [, seconds] = /timeout=(\d+)/.exec(String(hint)) ?? [];
  const keptMs = seconds === undefined ? usualMs : Number(seconds) * 1000;
  return Math.max(keptMs - marginMs, keptMs / 2);
}

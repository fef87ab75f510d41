import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A connection used this recently counts as alive. */
const surelyAliveMs = 1;
/** The idle timeout of a server that does not announce one: the shortest usual is 5 s. */
const usualMs = 5000;
/** Safety margin: the server may close the connection while a request is in flight. */
const marginMs = 1000;

interface KeptConnection {
  /** When it was last used, and how long it may be idle. */
  at: number;
  mostIdleMs: number;
}

const idleConnections = new WeakMap<Socket, KeptConnection>();

/** Records that a server answered on a connection, and its announced idle timeout. */
export function recordKeepAlive({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): void {
  const at = performance.now();
  const known = idleConnections.get(socket);
  // A server announces the same timeout each time, and parsing it costs more than the rest.
  if (known !== undefined) known.at = at;
  else idleConnections.set(socket, { at, mostIdleMs: maxIdleOf(headers['keep-alive']) });
}

/**
 * Calls `write` if an idle connection can be reused, and destroys it otherwise: its idle timeout is nearly over, or it
 * turns out to be closed once pending input was read.
 */
export function writeIfAlive(socket: Socket, write: () => void): void {
  const { at, mostIdleMs } = idleConnections.get(socket) ?? { at: Number.NEGATIVE_INFINITY, mostIdleMs: 0 };
  const idleMs = performance.now() - at;
  if (idleMs < surelyAliveMs) return write();
  if (idleMs >= mostIdleMs) return void socket.destroy();
  // A close that arrived while this process was busy is read before this callback.
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

import type { Server as NodeServer } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../../limits.ts';
import { nextTurn } from '../../../runtime/timers.ts';
import { markDraining } from './bindings/last-answer.ts';

/** Time for clients to read the last responses. */
const flushMs = 1000;
/** Time for which a connection is read after its last response, to avoid a reset. */
const socketLingerMs = limits.http.lastRequestsMs.value;
/** How often idle connections are closed, in milliseconds. */
const sweepMs = 20;
/** Turns of the event loop in which pending connections are accepted. */
const maxTurns = 200;

/**
 * Graceful shutdown of an HTTP server, without resetting connections: accepts no new ones, runs the work, and closes those
 * that stay open when no request has come for a while. The work waits for that itself.
 */
export type Drain = (work: (linger: () => Promise<unknown>) => Promise<void>, lingerMs: number) => Promise<void>;

/**
 * Tracks the connections of an HTTP server from its start, so that they can be drained. `turn` accepts those that the system
 * has already established.
 */
export function prepareDrain(http: NodeServer, turn: () => Promise<void> = nextTurn): Drain {
  const sockets = new Set<Socket>();
  let accepted = 0;
  http.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  /** Accepts connections that the system has established: they would be reset when the server stops listening. */
  async function acceptWaiting(): Promise<void> {
    // The rest of this turn may bring none: it has looked already. Some versions of Node take one in a turn.
    await turn();
    for (let turns = 0; turns < maxTurns; turns++) {
      const before = accepted;
      await turn();
      if (accepted === before) return;
    }
  }

  return async (work, lingerMs) => {
    await acceptWaiting();
    const closed = stopAccepting(http);
    markDraining(http);
    for (const socket of sockets) lingerAtEnd(socket);
    await work(() => isDoneIn(lingerMs, closed));
    // For node, a connection is idle only between two requests: not before the first.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    http.closeIdleConnections();
    // And only after the last answer was read.
    const sweep = setInterval(() => http.closeIdleConnections(), sweepMs);
    if (!(await isDoneIn(flushMs, closed))) http.closeAllConnections();
    clearInterval(sweep);
    await closed;
  };
}

/** Stops accepting. Resolves when the last connection is closed. */
function stopAccepting(http: NodeServer): Promise<void> {
  return new Promise((resolve) => {
    // Node would close idle connections immediately, and reset those with a request in transit.
    http.closeIdleConnections = () => {};
    http.close(() => resolve());
    Reflect.deleteProperty(http, 'closeIdleConnections');
  });
}

/** Makes a connection read on after its last response until the client closes it. */
function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.writableEnded) return;
    socket.end();
    const cut = setTimeout(() => socket.destroy(), socketLingerMs);
    socket.on('close', () => clearTimeout(cut));
  };
}

/** True if the promise resolves within the time. */
async function isDoneIn(ms: number, something: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isDone = await Promise.race([something.then(() => true), over]);
  clearTimeout(timer);
  return isDone;
}

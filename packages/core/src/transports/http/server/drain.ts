import type { Server as NodeServer } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../../limits.ts';
import { nextTurn } from '../../../runtime/timers.ts';
import { markDraining } from './bindings/last-answer.ts';

/** How long clients may take to read the last answers. */
const flushMs = limits.http.lastAnswersMs.value;
/** How long a connection is still read after its last answer, so that what comes then does not reset it. */
const readOnMs = limits.http.lastRequestsMs.value;
/** How often connections are looked at that were idle a moment ago, in milliseconds. */
const sweepMs = 20;
/** So many turns of the event loop at most are left to connections that wait to be taken. */
const maxTurns = 200;

/**
 * Lets go of the connections of a server, without a reset for anybody: no new ones are taken, the work given is done,
 * and connections that stay open are closed when no request has come for a while. The work waits for that itself.
 */
export type Drain = (work: (linger: () => Promise<unknown>) => Promise<void>, lingerMs: number) => Promise<void>;

/**
 * Follows the connections of an HTTP server from its start, so that they can be let go. `turn` brings those that the system
 * has taken already.
 */
export function prepareDrain(http: NodeServer, turn: () => Promise<void> = nextTurn): Drain {
  const sockets = new Set<Socket>();
  let accepted = 0;
  http.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  /** Takes connections that the system has taken already: they would be reset when the server stops listening. */
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
    const closed = closeSoftly(http);
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

/** Takes no more connections. Resolved when the last one is closed. */
function closeSoftly(http: NodeServer): Promise<void> {
  return new Promise((resolve) => {
    // Node would close idle connections at once, and reset those on which a request is just coming.
    http.closeIdleConnections = () => {};
    http.close(() => resolve());
    Reflect.deleteProperty(http, 'closeIdleConnections');
  });
}

/** Makes a connection that is closed after its last answer wait for its client, and read what still comes. */
function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.writableEnded) return;
    socket.end();
    const cut = setTimeout(() => socket.destroy(), readOnMs);
    socket.on('close', () => clearTimeout(cut));
  };
}

/** Waits for something, but not longer than said. */
async function isDoneIn(ms: number, something: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isDone = await Promise.race([something.then(() => true), over]);
  clearTimeout(timer);
  return isDone;
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const arrived = Symbol('requests that came on this connection');
const draining = Symbol('no more connections are taken');

/** A connection with the counters of this file. */
type Connection = Socket & { [arrived]?: number; server?: { [draining]?: boolean } };

/** Marks a server that accepts no more connections: the last response on each has `Connection: close`. */
export function markDraining(server: Server): void {
  Object.assign(server, { [draining]: true });
}

/** Counts a request on its connection. Returns its number. */
export function countRequest(connection: Connection): number {
  const number = (connection[arrived] ?? 0) + 1;
  connection[arrived] = number;
  return number;
}

/** True for the last response on a connection: the server is draining, and no other request has come. */
export function isLastAnswer({ [arrived]: newest, server }: Connection, number: number): boolean {
  return server?.[draining] === true && number === newest;
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const arrived = Symbol('requests that came on this connection');
const draining = Symbol('no more connections are taken');

/** A connection of a server, as it looks inside. */
type Connection = Socket & { [arrived]?: number; server?: { [draining]?: boolean } };

/** Notes that a server of `node:http` takes no more connections: the last answer on each that it has will say so. */
export function markDraining(server: Server): void {
  Object.assign(server, { [draining]: true });
}

/** Counts a request that has come on a connection, and gives its number. */
export function countRequest(connection: Connection): number {
  const number = (connection[arrived] ?? 0) + 1;
  connection[arrived] = number;
  return number;
}

/** True where the connection should end with the answer to this request: its server closes, and no other has come. */
export function isLastAnswer({ [arrived]: newest, server }: Connection, number: number): boolean {
  return server?.[draining] === true && number === newest;
}

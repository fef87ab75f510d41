import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Unread } from './outgoing.ts';

/** What node keeps of a socket's handle: how much it was given, and how much of that the system has not taken yet. */
interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/** A connection on which answers wait to be read: several, where requests came without waiting for their answers. */
class NodeConnection implements Unread {
  readonly #socket: Socket & { _handle?: Handle | null };
  readonly #responses = new Set<ServerResponse>();
  readonly address: string | undefined;
  isCut = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.address = socket.remoteAddress;
  }

  add(response: ServerResponse): void {
    this.#responses.add(response);
  }

  get unsent(): number {
    let unsent = 0;
    if (this.#socket.destroyed) return unsent;
    for (const response of this.#responses) {
      const { writableLength } = response;
      if (writableLength === 0) this.#responses.delete(response);
      unsent += writableLength;
    }
    return unsent;
  }

  /** Node counts a text as sent when its last byte is; only the handle knows of a slow reader from a dead one. */
  get taken(): number {
    const { bytesWritten, writeQueueSize } = this.#socket._handle ?? {};
    return bytesWritten === undefined || writeQueueSize === undefined ? -this.unsent : bytesWritten - writeQueueSize;
  }

  cut(): void {
    this.isCut = true;
    this.#socket.destroy();
  }
}

const connections = new WeakMap<Socket, NodeConnection>();

/** The connection of a response that was not sent at once. */
export function connectionOf(socket: Socket, response: ServerResponse): Unread {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new NodeConnection(socket);
    connections.set(socket, connection);
  }
  connection.add(response);
  return connection;
}

const closings = new WeakMap<Socket, Set<() => void>>();

/**
 * Tells of the end of a response that waits for others on its connection to be sent first: where the connection is closed
 * before it is its turn, node does not.
 */
export function whenClosed(socket: Socket, response: ServerResponse, listener: () => void): void {
  let waiting = closings.get(socket);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    closings.set(socket, all);
    socket.once('close', () => {
      for (const each of all) each();
    });
    waiting = all;
  }
  const once = (): void => {
    if (waiting.delete(once)) listener();
  };
  waiting.add(once);
  response.once('close', once);
}

/** How much waits on a connection to be read, in bytes. */
export function unsentOn(socket: Socket): number {
  return connections.get(socket)?.unsent ?? 0;
}

/** Cuts a connection off on which more waits than may; false where there is less. */
export function cutWhereUnread(socket: Socket, max: number): boolean {
  const connection = connections.get(socket);
  if (connection === undefined || connection.unsent <= max) return false;
  connection.cut();
  return true;
}

/** True where a connection was cut off because its client did not read. */
export function isCutOff(socket: Socket): boolean {
  return socket.destroyed && connections.get(socket)?.isCut === true;
}

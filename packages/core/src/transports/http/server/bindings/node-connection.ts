import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Consumer } from './slow-consumers.ts';

/** Node's handle of a socket: the bytes it was given, and those the system has not taken yet. */
interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/** A connection with unread responses: several, where requests were pipelined. */
class NodeConnection implements Consumer {
  readonly #socket: Socket & { _handle?: Handle | null };
  readonly #responses = new Set<ServerResponse>();
  readonly address: string | undefined;
  isDropped = false;

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

  /** Node counts a text as sent when its last byte is; only the handle tells a slow reader from a dead one. */
  get taken(): number {
    const { bytesWritten, writeQueueSize } = this.#socket._handle ?? {};
    return bytesWritten === undefined || writeQueueSize === undefined ? -this.unsent : bytesWritten - writeQueueSize;
  }

  drop(): void {
    this.isDropped = true;
    this.#socket.destroy();
  }
}

const connections = new WeakMap<Socket, NodeConnection>();

/** The consumer of a response that was not sent at once. */
export function consumerOf(socket: Socket, response: ServerResponse): Consumer {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new NodeConnection(socket);
    connections.set(socket, connection);
  }
  connection.add(response);
  return connection;
}

const closeListeners = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back when a pipelined response ends. Node emits no event where the connection is closed before the responses before it
 * are sent.
 */
export function onConnectionClose(socket: Socket, response: ServerResponse, listener: () => void): void {
  let waiting = closeListeners.get(socket);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    closeListeners.set(socket, all);
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

/** Unread bytes on a connection. */
export function unsentBytes(socket: Socket): number {
  return connections.get(socket)?.unsent ?? 0;
}

/** Closes a connection with more unread bytes than allowed; false if there are fewer. */
export function dropSlowConsumer(socket: Socket, max: number): boolean {
  const connection = connections.get(socket);
  if (connection === undefined || connection.unsent <= max) return false;
  connection.drop();
  return true;
}

/** True for a connection that was dropped because its client did not read. */
export function isDropped(socket: Socket): boolean {
  return socket.destroyed && connections.get(socket)?.isDropped === true;
}

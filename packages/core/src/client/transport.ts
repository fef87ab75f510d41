import type { Message, RequestId } from '../jsonrpc/message.ts';
import type { MethodTable } from '../protocol/methods.ts';

/** The maximum tools of a server whose properties a client caches. */
export const maxCachedTools = 10_000;

/** Callbacks from a transport to its client. */
export interface Receiver {
  /** Facts about the client's methods, such as what a header repeats. */
  readonly methods: MethodTable;
  /** A message of the server. */
  receive(message: Message): void;
  /** Reports a problem that does not end the connection. */
  warn(text: string): void;
  /** The server dropped the session, noticed without a request. */
  sessionLost(): void;
  /** The connection is over. Called once after each start. */
  closed(reason: Error): void;
}

/** A connection from a client to a server. */
export interface Transport {
  /** True: each request has its own stream, and closing it cancels the request. */
  readonly streamPerRequest: boolean;
  /** Limits the transport to one era. Absent: both. */
  readonly only?: 'handshake';
  /** Its name for observers, such as `stdio` or `http`. */
  readonly kind?: string;
  /** The server's address: the cache key for its era. Absent: not cached. */
  readonly endpoint?: string;
  /** Starts the transport. May be called again after the end. */
  start(receiver: Receiver): Promise<void>;
  /** Sends a message. A rejection means that a request gets no answer. */
  send(message: Message): Promise<void> | undefined;
  /** Cancels the waiting for an answer. */
  abandon?(id: RequestId): void;
  /** After a handshake: opens the stream for messages that the server sends unasked. */
  openStream?(): Promise<void>;
  /** The session id, if there is one. */
  session?(): string | undefined;
  /** Recent problems, to explain a timeout or an end. */
  diagnostics?(): string | undefined;
  /** Closes the connection. `graceMs` overrides the usual grace period of each shutdown step. */
  close(graceMs?: number): Promise<void>;
}

/** Throws if a value is not a transport; the error names the function that creates one. */
export function assertTransport(value: Transport, caller: string): void {
  const given: unknown = value;
  if (given !== null && typeof given === 'object' && 'start' in given && 'send' in given && 'close' in given) return;
  throw new TypeError(`${caller} needs a transport: ${transportHint(given)}`);
}

function transportHint(given: unknown): string {
  if (given instanceof URL || (typeof given === 'string' && /^https?:/i.test(given))) {
    return 'for a URL, use httpTransport(url)';
  }
  if (typeof given === 'string') return 'for a program, use spawn(command, args)';
  if (given !== null && typeof given === 'object' && 'handle' in given) {
    return 'for a server in this process, use memoryTransport(server)';
  }
  return 'use httpTransport(url), spawn(command, args) or memoryTransport(server)';
}

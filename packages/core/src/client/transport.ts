import type { Message, RequestId } from '../jsonrpc/message.ts';
import type { MethodTable } from '../protocol/methods.ts';

/** What a transport tells the client that uses it. */
export interface Receiver {
  /** What is true of the methods that the client uses, such as what a header repeats. */
  readonly methods: MethodTable;
  /** A message of the server. */
  receive(message: Message): void;
  /** Something is odd, but not the end. */
  warn(text: string): void;
  /** The server has forgotten the session, which was found out without a request. */
  sessionLost(): void;
  /** Nothing more will come, nor can anything be sent. Called once after each start. */
  closed(reason: Error): void;
}

/** How a client reaches a server. */
export interface Transport {
  /** True: each request has a stream of its own, so a client gives up on one by leaving its stream. */
  readonly streamPerRequest: boolean;
  /** The only era this transport has. Absent: both. */
  readonly only?: 'handshake';
  /** What it is called, such as `stdio` or `http`: for whoever observes. */
  readonly kind?: string;
  /** The server's address: its era is remembered under this. Absent: not remembered. */
  readonly endpoint?: string;
  /** Gets ready. May be called again after the end. */
  start(receiver: Receiver): Promise<void>;
  /** Sends a message. A promise that rejects says that a request will get no answer, and why. */
  send(message: Message): Promise<void> | undefined;
  /** Says that nobody waits for this answer any more. */
  abandon?(id: RequestId): void;
  /** After a handshake: opens the way for what the server says without being asked. */
  openStream?(): Promise<void>;
  /** The id of the session that the server gave, where there is one. */
  session?(): string | undefined;
  /** What went wrong lately, to explain a silence or an end. */
  trouble?(): string | undefined;
  /** Ends the connection. `graceMs`: how long a server gets for each step of its end, where it is not to get the usual time. */
  close(graceMs?: number): Promise<void>;
}

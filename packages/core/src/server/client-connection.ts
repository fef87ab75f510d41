import type { Notification, Params, Request, RequestId } from '../jsonrpc/message.ts';
import { Pending } from '../jsonrpc/pending.ts';
import type { Responses } from './call/encode-responses.ts';
import type { Auth, CallerUsage, AuthPolicy, Peer, Origin } from './peer.ts';
import { Session } from './session.ts';
import { untilInitialized } from './until-initialized.ts';

/** Options of a client connection. */
export interface ClientConnectionOptions {
  /** Sends a message to the client; `request` is the request it belongs to, if any. */
  send: (message: Notification | Request, request?: RequestId) => void;
  /** Where the messages come from. */
  origin?: Origin;
  /** The authenticated caller, if the transport authenticates. */
  auth?: Auth | undefined;
  /** How callers authenticate on this transport. */
  authPolicy?: AuthPolicy;
  /** Counts the usage of the caller, over all of its connections. */
  usage?: CallerUsage;
  /** True while the client reads too slowly. */
  backpressured?: () => boolean;
}

/** The server's side of a connection with one client. */
export interface ClientConnection {
  /** Passed to the server with every message of this client. */
  readonly peer: Peer;
  readonly session: Session;
  /** Must be called when a response was sent: messages that waited for it follow. */
  answered(reply: Responses): void;
  /** Rejects pending and later questions: the client can't answer any more. The first reason counts. */
  stopAsking(reason: Error): void;
  /** Stops asking, cancels running calls and ends the session: the client disconnected. */
  end(reason: Error): void;
}

/** Creates the peer and session of a client that has one connection for all of its messages. */
export function openClientConnection({
  send,
  origin,
  auth,
  authPolicy,
  usage,
  backpressured,
}: ClientConnectionOptions): ClientConnection {
  const pending = new Pending();
  const session = new Session(send);
  session.principal = auth?.principal;
  let unanswerable: Error | undefined;

  const peer: Peer = {
    ...(auth !== undefined && { auth }),
    ...(authPolicy !== undefined && { authPolicy }),
    ...(origin !== undefined && { origin }),
    ...(usage !== undefined && { usage }),
    session,
    running: new Map(),
    send,
    notify: (message) => session.notify(message),
    ask: askWhenReady,
    askLater: () => (unanswerable === undefined ? askWhenReady : undefined),
    settle: (response) => pending.settle(response),
    get backpressured() {
      return backpressured?.() ?? false;
    },
  };

  function ask(
    method: string,
    params: Params | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, unknown>> {
    return unanswerable === undefined ? pending.ask(method, params, send, signal) : Promise.reject(unanswerable);
  }

  function askWhenReady(
    method: string,
    params: Params | undefined,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    if (session.initialized || unanswerable !== undefined) return ask(method, params, signal);
    return untilInitialized((go) => session.onInitialized(go), signal).then(() => ask(method, params, signal));
  }

  function stopAsking(reason: Error): void {
    unanswerable ??= reason;
    pending.end(unanswerable);
  }

  function end(reason: Error): void {
    stopAsking(reason);
    for (const call of peer.running.values()) call.cancel(reason.message);
    session.end();
  }

  function answered(reply: Responses): void {
    if (session.early === undefined || reply === undefined || Array.isArray(reply)) return;
    if (reply.id === session.handshake) session.sendEarly();
  }

  return { peer, session, answered, stopAsking, end };
}

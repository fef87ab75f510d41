import type { Notification, Params, Request, RequestId } from '../jsonrpc/message.ts';
import { Pending } from '../jsonrpc/pending.ts';
import type { Responses } from './call/encode-responses.ts';
import type { Auth, Entrance, Exchange, Origin } from './exchange.ts';
import { Session } from './session.ts';
import { untilInitialized } from './until-initialized.ts';
import { connectionUsage, type Usage } from './quotas/quota.ts';

/** What a transport knows of the one client at the other end of a connection. */
export interface ConversationOptions {
  /** Sends a message to the client; `request` is the one that it belongs to, where there is one. */
  send: (message: Notification | Request, request?: RequestId) => void;
  /** Which way the client came. */
  origin?: Origin;
  /** Who the client is, where the transport has established that. */
  auth?: Auth | undefined;
  /** How the client says who it is, where it is asked. */
  entrance?: Entrance;
  /** What the client holds, where it is one of several connections of one caller. */
  usage?: Usage | undefined;
  /** True while the client reads too slowly. */
  crowded?: () => boolean;
}

/** All that is said with one client over one connection. */
export interface Conversation {
  /** What the server gets with every message of this client. */
  readonly exchange: Exchange;
  /** An answer has gone out: what had to wait for it follows. */
  answered(reply: Responses): void;
  /** Fails the open questions, and every later one: the client can't answer any more. The first reason counts. */
  stopAsking(reason: Error): void;
  /** Stops asking, cancels what runs and forgets the session: the client is gone. */
  end(reason: Error): void;
}

/** Opens the conversation with a client that has one connection for all of its messages. */
export function openConversation({
  send,
  origin,
  auth,
  entrance,
  usage = connectionUsage(),
  crowded,
}: ConversationOptions): Conversation {
  const pending = new Pending();
  const session = new Session(send);
  session.principal = auth?.principal;
  let unanswerable: Error | undefined;

  const exchange: Exchange = {
    ...(auth !== undefined && { auth }),
    ...(entrance !== undefined && { entrance }),
    ...(origin !== undefined && { origin }),
    usage,
    session,
    running: new Map(),
    send,
    tell: (message) => session.notify(message),
    ask: askWhenReady,
    askLater: () => (unanswerable === undefined ? askWhenReady : undefined),
    settle: (response) => pending.settle(response),
    get crowded() {
      return crowded?.() ?? false;
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
    for (const call of exchange.running.values()) call.cancel(reason.message);
    session.end();
  }

  function answered(reply: Responses): void {
    if (session.early.length === 0 || reply === undefined || Array.isArray(reply)) return;
    if (reply.id === session.handshake) session.tellEarly();
  }

  return { exchange, answered, stopAsking, end };
}

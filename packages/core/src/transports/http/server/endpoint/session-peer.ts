import { ErrorCode, NotAsked } from '../../../../jsonrpc/errors.ts';
import type { Notification, Params, RequestId } from '../../../../jsonrpc/message.ts';
import type { Caller } from '../../../../revisions/revision.ts';
import type { Peer, RunningCall } from '../../../../server/peer.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import { untilInitialized } from '../../../../server/until-initialized.ts';
import type { LiveSession } from '../sessions/session-hub.ts';
import type { MessageSession } from '../sessions/session-of-message.ts';
import type { HttpContext } from './context.ts';
import type { RunningIds } from '../sessions/running-ids.ts';

/** The running calls of one POST in a session. `has` also knows the ids of the session's other POSTs. */
export class SessionCalls extends Map<RequestId, RunningCall> {
  readonly #ids: RunningIds;
  readonly #session: string;

  constructor(ids: RunningIds, session: string) {
    super();
    this.#ids = ids;
    this.#session = session;
  }

  override has(id: RequestId): boolean {
    return this.#ids.bySession.get(this.#session)?.has(id) === true;
  }

  override set(id: RequestId, call: RunningCall): this {
    this.#ids.add(this.#session, id);
    return super.set(id, call);
  }

  override delete(id: RequestId): boolean {
    const isOwn = super.delete(id);
    if (isOwn) this.#ids.delete(this.#session, id);
    return isOwn;
  }

  override clear(): void {
    for (const id of this.keys()) this.#ids.delete(this.#session, id);
    super.clear();
  }
}

/** Makes a request one of a handshake client. With a session, the client can be reached beside the response. */
export function joinSession(context: HttpContext, member: MessageSession): void {
  const { session, id } = member;
  context.member = member;
  context.session = session;
  context.caller = session as Caller;
  if (id === undefined) return;
  context.running = new SessionCalls(context.endpoint.sessions.runningIds, id);
  context.notify = notify;
  context.askLater = askLater;
  context.disconnect = disconnect;
  if (context.accepts.events) context.ask = ask;
}

function idOf({ member }: HttpContext): string {
  return member?.id as string;
}

/** Notifies the client on the stream of its session, on whichever instance that is. */
function notify(this: HttpContext, notification: Notification): void {
  const { server, sessions } = this.endpoint;
  const id = idOf(this);
  runInBackground(server, () => sessions.publish(id, { kind: 'notify', notification }));
}

/** Asks on the stream of the session, where this instance has it. */
function askLater(this: HttpContext): Peer['ask'] {
  const live = this.endpoint.sessions.withStandaloneStream(idOf(this));
  if (live === undefined) return undefined;
  return (method, params, signal) => live.pending.ask(method, params, (message) => live.standalone?.(message), signal);
}

/** Closes the connection. The client reconnects for the rest of the stream. */
async function disconnect(this: HttpContext, retryMs: number): Promise<void> {
  if (this.done || !this.canStream || this.session?.revision?.primesStreams !== true) return;
  // A new stream is opened with the delay; on an open one it is written as an event.
  if (this.stream === undefined) await this.openStream(retryMs).disconnectLater();
  else await this.stream.disconnectLater(retryMs);
}

/** Asks on the stream that answers this request. */
async function ask(
  this: HttpContext,
  method: string,
  params: Params | undefined,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const { live, release } = await this.endpoint.sessions.acquire(idOf(this));
  try {
    await awaitInitialized(this, live, signal);
    if (!this.canStream) throw new NotAsked(ErrorCode.InternalError, 'Server busy: too many open streams');
    return await live.pending.ask(method, params, (message) => this.send(message), signal);
  } finally {
    release();
  }
}

/** The notification may come with another request, and to another instance. */
async function awaitInitialized(
  context: HttpContext,
  live: LiveSession,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (context.session?.initialized === true) return;
  const { server, sessions } = context.endpoint;
  await untilInitialized((go) => {
    const check = async (): Promise<void> => {
      const now = await sessions.find(idOf(context), context.auth?.principal);
      if (now?.initialized === true) go();
    };
    runInBackground(server, check);
    return live.onEvent(({ kind }) => {
      if (kind === 'changed' || kind === 'missed') runInBackground(server, check);
    });
  }, signal);
}

import { ErrorCode, NotAsked } from '../../../../jsonrpc/errors.ts';
import type { Notification, Params, Request } from '../../../../jsonrpc/message.ts';
import type { Caller } from '../../../../revisions/revision.ts';
import type { Auth, Entrance, Exchange, Origin } from '../../../../server/exchange.ts';
import type { Rated, RateCounter } from '../../../../server/quotas/rate-limit.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Session } from '../../../../server/session.ts';
import { untilInitialized } from '../../../../server/until-initialized.ts';
import type { Usage } from '../../../../server/quotas/quota.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { MessageSession } from '../sessions/session-of-message.ts';
import type { Reply } from './reply.ts';
import { LateCalls, SessionCalls } from './running-calls.ts';

/** The exchange of one POST: sends to the client through the reply to its request. */
export class ReplyExchange implements Exchange {
  readonly running: LateCalls;
  readonly auth?: Auth;
  readonly usage: Usage;
  gone = false;

  constructor(
    readonly reply: Reply,
    { auth, usage }: Visit,
    readonly caller: Caller,
    running: LateCalls = new LateCalls(),
  ) {
    this.usage = usage;
    this.running = running;
    if (auth !== undefined) this.auth = auth;
  }

  get entrance(): Entrance {
    return this.reply.entrance;
  }

  get origin(): Origin {
    return this.reply.origin;
  }

  get store(): Store {
    return this.reply.store;
  }

  get crowded(): boolean {
    return this.reply.crowded;
  }

  send(message: Notification | Request): void {
    this.reply.tell(message);
  }

  beforeAnswer(write: () => void): boolean {
    return this.reply.beforeAnswer(write);
  }

  rated(counter: RateCounter, rated: Rated): void {
    this.reply.rated(counter, rated);
  }
}

/** The exchange of a handshake client. */
class HandshakeExchange extends ReplyExchange {
  constructor(
    reply: Reply,
    visit: Visit,
    readonly session: Session,
    running?: LateCalls,
  ) {
    super(reply, visit, session as Caller, running);
  }
}

/** A session and its id. */
interface Member {
  session: Session;
  id: string;
}

/** The exchange of a handshake client with a session: it can come back for the answer. */
class SessionExchange extends HandshakeExchange {
  protected readonly endpoint: Endpoint;
  protected readonly id: string;

  constructor(endpoint: Endpoint, visit: Visit, { session, id }: Member, reply: Reply) {
    super(reply, visit, session, new SessionCalls(endpoint.sessions.runningIds, id));
    this.endpoint = endpoint;
    this.id = id;
  }

  tell(notification: Notification): void {
    const { server, sessions } = this.endpoint;
    runInBackground(server, () => sessions.tell(this.id, { kind: 'notify', notification }));
  }

  askLater(): Exchange['ask'] {
    const live = this.endpoint.sessions.standing(this.id);
    if (live === undefined) return undefined;
    return (method, params, signal) => live.pending.ask(method, params, (message) => live.standing?.(message), signal);
  }

  hangUp(retryMs: number): Promise<void> {
    return this.reply.letGo(retryMs);
  }
}

/** The exchange of a client with a session that reads streams: it can be asked something. */
class AskingExchange extends SessionExchange {
  async ask(method: string, params: Params | undefined, signal?: AbortSignal): Promise<Record<string, unknown>> {
    const { reply } = this;
    const { live, release } = await this.endpoint.sessions.hold(this.id);
    try {
      await this.#untilInitialized(live, signal);
      if (!reply.streams) throw new NotAsked(ErrorCode.InternalError, 'Server busy: too many open streams');
      return await live.pending.ask(method, params, (message) => reply.tell(message), signal);
    } finally {
      release();
    }
  }

  /** The notification may have come with another request, and to another instance. */
  async #untilInitialized(live: LiveSession, signal: AbortSignal | undefined): Promise<void> {
    if (this.session.initialized) return;
    const { server, sessions } = this.endpoint;
    await untilInitialized((go) => {
      const look = async (): Promise<void> => {
        const now = await sessions.find(this.id, this.auth?.principal);
        if (now?.initialized === true) go();
      };
      runInBackground(server, look);
      return live.onNews(({ kind }) => {
        if (kind === 'changed' || kind === 'missed') runInBackground(server, look);
      });
    }, signal);
  }
}

/** Makes the exchange for a request of a handshake client. */
export function handshakeExchange(
  endpoint: Endpoint,
  visit: Visit,
  { session, id }: MessageSession,
  reply: Reply,
): ReplyExchange {
  if (id === undefined) return new HandshakeExchange(reply, visit, session);
  return reply.mayStream
    ? new AskingExchange(endpoint, visit, { session, id }, reply)
    : new SessionExchange(endpoint, visit, { session, id }, reply);
}

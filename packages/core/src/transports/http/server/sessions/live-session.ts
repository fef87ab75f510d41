import { ErrorCode, NotAsked } from '../../../../jsonrpc/errors.ts';
import type { Notification, Request, RequestId, Response } from '../../../../jsonrpc/message.ts';
import { Pending } from '../../../../jsonrpc/pending.ts';
import type { Exchange } from '../../../../server/exchange.ts';
import { endRequests, type Refuser } from '../answer/end-requests.ts';

/** What instances tell each other of a session. */
export type SessionNews =
  | { kind: 'changed' }
  | { kind: 'watches'; add: readonly string[]; remove: readonly string[] }
  /** By its client; `lost`, which is only ever heard here: the store has it no more, and its client may not know. */
  | { kind: 'ended'; lost?: true }
  | { kind: 'answer'; response: Response }
  | { kind: 'cancel'; id: RequestId; reason?: string }
  /** For the standing stream, whichever instance has it. */
  | { kind: 'notify'; notification: Notification }
  /** A stream is now served by another connection: the former one lets go. */
  | { kind: 'taken-up'; stream: string; by: string }
  /** The former one has kept all news until then. */
  | { kind: 'handed-over'; to: string }
  /** Only ever heard here: some of the others may have been lost. */
  | { kind: 'missed' };

type Send = (message: Notification | Request) => void;

/** The open exchanges and questions of a session on this instance. Exists only while there are some. */
export class LiveSession {
  readonly #exchanges = new Set<Exchange>();
  readonly #listeners = new Set<(news: SessionNews) => void>();
  readonly #server: Refuser;
  #pending: Pending | undefined;
  #standing: Send | undefined;

  constructor(server: Refuser) {
    this.#server = server;
  }

  /** Questions asked of this client from here. Their ids are told apart from those of other instances. */
  get pending(): Pending {
    this.#pending ??= new Pending({ prefix: `${crypto.randomUUID()}-` });
    return this.#pending;
  }

  hear(news: SessionNews): void {
    switch (news.kind) {
      case 'answer':
        this.#pending?.settle(news.response);
        break;
      case 'cancel':
        for (const { running } of this.#exchanges) running.get(news.id)?.cancel(news.reason);
        break;
      case 'ended':
        this.#end(news);
    }
    for (const listener of this.#listeners) listener(news);
  }

  /** Hears all news until the function returned is called. `standing` is given by who has the client's standing stream. */
  onNews(listener: (news: SessionNews) => void, standing?: Send): () => void {
    this.#listeners.add(listener);
    if (standing !== undefined) this.#standing = standing;
    return () => {
      this.#listeners.delete(listener);
      if (this.#standing === standing) this.#standing = undefined;
    };
  }

  /** Sends on the client's standing stream, where this instance has it. */
  get standing(): Send | undefined {
    return this.#standing;
  }

  /** Lets the requests of an exchange be cancelled until the function returned is called. */
  follow(exchange: Exchange): () => void {
    this.#exchanges.add(exchange);
    return () => this.#exchanges.delete(exchange);
  }

  /** A client whose session is lost still waits for what it asked for: that ends only where it would wait for ever. */
  #end({ lost = false }: { lost?: boolean }): void {
    const message = 'The session was ended before the request was done: begin a new one with "initialize"';
    const reason = new NotAsked(ErrorCode.InternalError, message);
    for (const { running } of this.#exchanges) {
      endRequests(
        this.#server,
        Array.from(running).filter(([, { waits }]) => !lost || waits),
        reason,
      );
    }
    this.#pending?.end(reason);
  }
}

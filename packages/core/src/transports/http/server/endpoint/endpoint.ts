import type { Auth } from '../../../../server/exchange.ts';
import type { Server } from '../../../../server/server.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Acceptable } from '../gate/accept.ts';
import type { HttpHeaders, HttpRequest, HttpResponder } from '../bindings/binding.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Streams } from '../streams/streams.ts';
import type { WorkCount } from './work-count.ts';

/** What the parts of one handler share. */
export interface Endpoint {
  readonly server: Server;
  readonly store: Store;
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly maxBody: number;
  readonly maxRunning: number;
  /** Requests whose answers are awaited. */
  readonly running: Set<RunningRequest>;
  /** What waits for clients to come back; each is ended by its function. */
  readonly lingering: Set<() => void>;
  /** All that must be done before the handler is closed. */
  readonly work: WorkCount;
  /** Set when the handler takes no more requests. */
  closing: boolean;
}

/** One request being served, with what was established about it. */
export interface Visit {
  readonly http: HttpRequest;
  readonly responder: HttpResponder;
  readonly auth: Auth | undefined;
  /** Headers that every answer to it carries. */
  readonly headers: HttpHeaders;
  readonly accepts: Acceptable;
}

/** A request that can be told that the server is going away. */
export interface RunningRequest {
  /** Ends what would go on for ever. */
  close(): void;
  /** Answers with an error what is still not done. */
  giveUp(): void;
}

/** Does something beside: its failure is nobody's answer, only a line in the log. */
export function inBackground({ server }: Pick<Endpoint, 'server'>, work: () => unknown): void {
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => server.reportError('Unexpected error beside HTTP requests', error));
}

import type { ErrorBody } from '../../jsonrpc/errors.ts';
import { isObject, PreparedResult, type Request, type Response } from '../../jsonrpc/message.ts';
import { runWithin } from '../../jsonrpc/observer-watches.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Call } from '../../server/call/call.ts';
import type { Feature } from '../../server/engine.ts';
import type { RequestStep } from '../../server/pipeline/step.ts';
import type { EngineState } from '../../server/engine-state.ts';
import type { Peer } from '../../server/peer.ts';
import type { Caller } from '../../revisions/revision.ts';
import type { ObservedRequest, RequestEnd, RequestOutcome, RequestWatch } from '../../server/observer.ts';

/** Notifies the observers of each request and its response. */
const observe: RequestStep = (next) => (call) => {
  const watches = watchesOf(call);
  if (watches.length === 0) return next(call);
  const watched = new WatchedRequest(call, watches);
  const answer = serveWithin(call.host, watches, () => next(call));
  return answer instanceof Promise ? endWithAnswer(watched, answer) : watched.finish(answer);
};

/** The feature that notifies the observers of a server. */
export const observation: Feature = ({ observers }) =>
  observers.length === 0 ? undefined : { id: 'observe', observe };

/** A separate function, so that its closure keeps little of the request: some last for days. */
function endWithAnswer(watched: WatchedRequest, answer: Promise<Response | undefined>): Promise<Response | undefined> {
  return answer.then((response) => watched.finish(response));
}

/** An observed request. */
class WatchedRequest {
  readonly #call: Call;
  /** Copied, since the call may drop it when it is answered. */
  readonly #peer: Peer;
  readonly #watches: readonly RequestWatch[];
  readonly #startedAt = performance.now();

  constructor(call: Call, watches: readonly RequestWatch[]) {
    this.#call = call;
    this.#peer = call.peer;
    this.#watches = watches;
  }

  finish(response: Response | undefined): Response | undefined {
    const durationMs = performance.now() - this.#startedAt;
    const end = new EndedRequest(response, { call: this.#call, peer: this.#peer, durationMs });
    for (const watch of this.#watches) {
      try {
        watch.end(end);
      } catch (error) {
        this.#call.host.reportError('An observer failed', error);
      }
    }
    return response;
  }
}

/** How a request ended. There is one per observed request, so its members are computed lazily. */
class EndedRequest implements RequestEnd {
  readonly outcome: RequestOutcome;
  readonly durationMs: number;
  readonly revision: string | undefined;
  readonly part: string | undefined;
  readonly clientInfo: Implementation | undefined;
  readonly error: ErrorBody | undefined;
  readonly #result: unknown;
  readonly #peer: Peer;

  constructor(
    response: Response | undefined,
    { call, peer, durationMs }: { call: Call; peer: Peer; durationMs: number },
  ) {
    const { server, host } = call;
    // A request that could not be identified has none.
    const caller = call.caller as Caller | undefined;
    this.error = response !== undefined && 'error' in response ? response.error : undefined;
    this.#result = response !== undefined && 'result' in response ? response.result : undefined;
    this.#peer = peer;
    this.outcome = outcomeOf(response, this.error, this.#result);
    this.durationMs = durationMs;
    this.revision = caller?.revision?.version;
    this.part = server === host ? undefined : server.info.name;
    this.clientInfo = caller?.clientInfo;
  }

  result(): unknown {
    return this.#result instanceof PreparedResult ? this.#result.toJSON() : this.#result;
  }

  beforeAnswer(write: () => void): void {
    if (this.#peer.beforeAnswer?.(write) !== true) write();
  }
}

function watchesOf({ host: server, received, peer }: Call): RequestWatch[] {
  const { id, method, params = {} } = received as Request;
  const request: ObservedRequest = { id, method, params, auth: peer.auth, origin: peer.origin };
  const watches: RequestWatch[] = [];
  for (const observer of server.observers) {
    try {
      const watch = observer.begin?.(request);
      if (watch !== undefined) watches.push(watch);
    } catch (error) {
      server.reportError('An observer failed', error);
    }
  }
  return watches;
}

/** Serves inside the `around` functions of the watches. */
function serveWithin<T>(server: EngineState, watches: readonly RequestWatch[], serve: () => T): T {
  if (!hasAround(watches)) return serve();
  return runWithin(watches, 'around', serve, (error) => server.reportError('An observer failed', error));
}

function hasAround(watches: readonly RequestWatch[]): boolean {
  for (const watch of watches) if (watch.around !== undefined) return true;
  return false;
}

function outcomeOf(response: Response | undefined, error: ErrorBody | undefined, result: unknown): RequestOutcome {
  if (response === undefined) return 'cancelled';
  if (error !== undefined) {
    return isObject(error.data) && typeof error.data.retryAfterMs === 'number' ? 'refused' : 'error';
  }
  if (result instanceof PreparedResult || !isObject(result)) return 'ok';
  if (result.isError === true) return 'tool-error';
  return result.resultType === 'input_required' ? 'asked' : 'ok';
}

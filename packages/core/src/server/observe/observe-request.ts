import type { ErrorBody } from '../../jsonrpc/errors.ts';
import { isObject, PreparedResult, type Request, type Response } from '../../jsonrpc/message.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { Call } from '../call/call.ts';
import type { Engine } from '../engine.ts';
import type { Exchange } from '../exchange.ts';
import type { ObservedRequest, RequestEnd, RequestOutcome, RequestWatch } from './observer.ts';

type Answer = Response | undefined | Promise<Response | undefined>;

/** Where the call is put as soon as there is one. */
export interface CallSlot {
  call?: Call;
}

/** Serves a request and tells those who observe it. */
export function observeRequest(
  server: Engine,
  request: Request,
  exchange: Exchange,
  serve: (slot: CallSlot) => Answer,
): Answer {
  const watches = watchesOf(server, request, exchange);
  if (watches.length === 0) return serve({});
  const watched = new WatchedRequest(server, exchange, watches);
  const answer = serveWithin(server, watches, () => serve(watched));
  return answer instanceof Promise ? whenAnswered(watched, answer) : watched.finish(answer);
}

/** In a function of its own, so that nothing is kept of a request but what is told at its end: some last for days. */
function whenAnswered(watched: WatchedRequest, answer: Promise<Response | undefined>): Answer {
  return answer.then((response) => watched.finish(response));
}

/** A request that is being served, for those who are told of its end. */
class WatchedRequest implements CallSlot {
  call?: Call;
  readonly #server: Engine;
  readonly #exchange: Exchange;
  readonly #watches: readonly RequestWatch[];
  readonly #startedAt = performance.now();

  constructor(server: Engine, exchange: Exchange, watches: readonly RequestWatch[]) {
    this.#server = server;
    this.#exchange = exchange;
    this.#watches = watches;
  }

  finish(response: Response | undefined): Response | undefined {
    const durationMs = performance.now() - this.#startedAt;
    const end = new EndedRequest(response, { call: this.call, exchange: this.#exchange, durationMs });
    for (const watch of this.#watches) {
      try {
        watch.end(end);
      } catch (error) {
        this.#server.reportError('An observer failed', error);
      }
    }
    return response;
  }
}

/** How a request ended. One for each request that is observed, so nothing in it is made before somebody wants it. */
class EndedRequest implements RequestEnd {
  readonly outcome: RequestOutcome;
  readonly durationMs: number;
  readonly revision: string | undefined;
  readonly clientInfo: Implementation | undefined;
  readonly error: ErrorBody | undefined;
  readonly #told: unknown;
  readonly #exchange: Exchange;

  constructor(
    response: Response | undefined,
    { call, exchange, durationMs }: { call: Call | undefined; exchange: Exchange; durationMs: number },
  ) {
    this.error = response !== undefined && 'error' in response ? response.error : undefined;
    this.#told = response !== undefined && 'result' in response ? response.result : undefined;
    this.#exchange = exchange;
    this.outcome = outcomeOf(response, this.error, this.#told);
    this.durationMs = durationMs;
    this.revision = call?.caller.revision?.version;
    this.clientInfo = call?.caller.clientInfo;
  }

  result(): unknown {
    return this.#told instanceof PreparedResult ? this.#told.toJSON() : this.#told;
  }

  beforeAnswer(write: () => void): void {
    if (this.#exchange.beforeAnswer?.(write) !== true) write();
  }
}

function watchesOf(server: Engine, { id, method, params = {} }: Request, exchange: Exchange): RequestWatch[] {
  const request: ObservedRequest = { id, method, params, auth: exchange.auth, origin: exchange.origin };
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

/** Serves within what the watches put around it. One that fails to is left out: the request is served once, come what may. */
function serveWithin<T>(server: Engine, watches: readonly RequestWatch[], serve: () => T): T {
  if (!hasAround(watches)) return serve();
  let served: { value: T } | undefined;
  const innermost = (): T => {
    served ??= { value: serve() };
    return served.value;
  };
  let run = innermost;
  for (const watch of watches) {
    if (watch.around === undefined) continue;
    const inner = run;
    run = () => {
      try {
        watch.around?.(inner);
      } catch (error) {
        server.reportError('An observer failed', error);
      }
      return served === undefined ? inner() : served.value;
    };
  }
  return run();
}

function hasAround(watches: readonly RequestWatch[]): boolean {
  for (const watch of watches) if (watch.around !== undefined) return true;
  return false;
}

function outcomeOf(response: Response | undefined, error: ErrorBody | undefined, told: unknown): RequestOutcome {
  if (response === undefined) return 'cancelled';
  if (error !== undefined) {
    return isObject(error.data) && typeof error.data.retryAfterMs === 'number' ? 'refused' : 'error';
  }
  if (told instanceof PreparedResult || !isObject(told)) return 'ok';
  if (told.isError === true) return 'tool-error';
  return told.resultType === 'input_required' ? 'asked' : 'ok';
}

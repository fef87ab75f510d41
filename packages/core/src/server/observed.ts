import type { ErrorBody } from '../jsonrpc/errors.ts';
import { isObject, PreparedResult, type Request, type Response } from '../jsonrpc/message.ts';
import type { Call } from './call.ts';
import type { Engine } from './engine.ts';
import type { Exchange } from './exchange.ts';
import type { ObservedRequest, RequestEnd, RequestOutcome, RequestWatch } from './observer.ts';

type Answer = Response | undefined | Promise<Response | undefined>;

/** Where the call is put as soon as there is one. */
export interface CallSlot {
  call?: Call;
}

/** Serves a request and tells those who observe it. */
export function observed(
  server: Engine,
  request: Request,
  exchange: Exchange,
  serve: (slot: CallSlot) => Answer,
): Answer {
  const watches = watchesOf(server, request, exchange);
  if (watches.length === 0) return serve({});
  const startedAt = performance.now();
  const slot: CallSlot = {};
  const finish = (response: Response | undefined): Response | undefined => {
    const end = endOf(response, slot.call, performance.now() - startedAt);
    for (const watch of watches) attempt(server, () => watch.end(end));
    return response;
  };
  const answer = serveWithin(server, watches, () => serve(slot));
  return answer instanceof Promise ? answer.then(finish) : finish(answer);
}

function watchesOf(server: Engine, { id, method, params = {} }: Request, exchange: Exchange): RequestWatch[] {
  const request: ObservedRequest = { id, method, params, auth: exchange.auth, origin: exchange.origin };
  const watches: RequestWatch[] = [];
  for (const observer of server.observers) {
    const watch = attempt(server, () => observer.begin?.(request));
    if (watch !== undefined) watches.push(watch);
  }
  return watches;
}

/** Serves within what the watches put around it. One that fails to is left out: the request is served once, come what may. */
function serveWithin<T>(server: Engine, watches: readonly RequestWatch[], serve: () => T): T {
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
      attempt(server, () => watch.around?.(inner));
      return served === undefined ? inner() : served.value;
    };
  }
  return run();
}

function endOf(response: Response | undefined, call: Call | undefined, durationMs: number): RequestEnd {
  const error = response !== undefined && 'error' in response ? response.error : undefined;
  const told = response !== undefined && 'result' in response ? response.result : undefined;
  const result = (): unknown => (told instanceof PreparedResult ? told.toJSON() : told);
  const { revision, clientInfo } = call?.caller ?? {};
  return {
    outcome: outcomeOf(response, error, told),
    durationMs,
    revision: revision?.version,
    clientInfo,
    error,
    result,
  };
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

function attempt<T>(server: Engine, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    server.reportError('An observer failed', error);
    return undefined;
  }
}

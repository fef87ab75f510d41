import { whenThere, type Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Classified, ErrorResponse, Request } from '../../jsonrpc/message.ts';
import type { Caller } from '../../revisions/revision.ts';
import { Call } from '../call/call.ts';
import type { Engine } from '../engine.ts';
import type { Exchange } from '../exchange.ts';
import { requestMethods } from '../methods/index.ts';
import { allScopes } from './scope-rule.ts';
import { logElevation } from './scope-response.ts';
import { hasScopes } from './check-scopes.ts';
import { lackingScopes, requiredBy } from './insufficient-scope.ts';

type Demanded = readonly string[] | undefined;

/**
 * The answer to a batch whose caller lacks some of what its requests demand, all of them together: then none is served, so
 * that a client who comes back with a better token finds everything as it was. Undefined where nothing is missing.
 */
export function checkBatchScopes(
  server: Engine,
  items: readonly Classified[],
  exchange: Exchange,
): Awaitable<ErrorResponse | undefined> {
  const demanded: Awaitable<Demanded>[] = [];
  for (const item of items) if (item.kind === 'request') demanded.push(demandedBy(server, item.message, exchange));
  const all = demanded.some((each) => each instanceof Promise)
    ? Promise.all(demanded.map(async (each) => each))
    : (demanded as Demanded[]);
  return whenThere(all, (lists) => refusalFor(server, exchange, allScopes(lists)));
}

/** Undefined also where that can't be told: such a request fails by itself. */
function demandedBy(server: Engine, request: Request, exchange: Exchange): Awaitable<Demanded> {
  const method = requestMethods.get(request.method);
  const call = new Call(server, exchange.session as Caller, request, exchange);
  try {
    const added = method === undefined ? server.extensions.method(request.method)?.scopes?.of(call.params) : undefined;
    const demanded = method?.allScopes?.(call) ?? method?.scopes?.(call) ?? added;
    return demanded instanceof Promise ? demanded.catch(() => undefined) : demanded;
  } catch {
    return undefined;
  }
}

function refusalFor(server: Engine, exchange: Exchange, needed: Demanded): ErrorResponse | undefined {
  if (needed === undefined || hasScopes(exchange, needed)) return undefined;
  const error = lackingScopes('This batch', needed, exchange);
  const { requiredScopes: asked = [] } = requiredBy(error) ?? {};
  logElevation(server, exchange, { what: 'A batch', asked, client: exchange.session?.clientInfo?.name });
  return { jsonrpc: '2.0', id: null, error: error.toBody() };
}

import type { Feature } from '../../server/engine.ts';
import type { RequestStep } from '../../server/pipeline/step.ts';
import { isLimited, hasScopes, missingScopes, requiredBy } from './insufficient-scope.ts';
import type { ScopeAccess } from './scope-access.ts';
import { mapAwaitable, type Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Classified, ErrorResponse, Request } from '../../jsonrpc/message.ts';
import type { Caller } from '../../revisions/revision.ts';
import { Call } from '../../server/call/call.ts';
import type { EngineState } from '../../server/engine-state.ts';
import type { Peer } from '../../server/peer.ts';
import { requestMethods } from '../../server/methods/index.ts';
import { allScopes } from './scope-rule.ts';

/** Demands scopes of callers, where something that the server offers needs some. */
export function authorization(access: ScopeAccess): Feature {
  // Before any middleware: nothing has happened, and no answer has begun.
  const authorize: RequestStep = (next) => (call) => {
    if (isLimited(call.peer)) {
      const { served, server, method, revision, params } = call;
      const needed =
        served === undefined
          ? server.extensions.methodIn(method, revision)?.access?.of(params)
          : served.requirement?.(call);
      access.require(call, needed);
    }
    return next(call);
  };
  return ({ catalog }) =>
    catalog.isGuarded
      ? { id: 'scopes', authorize, authorizeBatch: (...batch) => checkBatchScopes(access, ...batch) }
      : undefined;
}

type Demanded = readonly string[] | undefined;

/**
 * The answer to a batch whose caller lacks some of what its requests demand, all of them together: then none is served, so
 * that a client who comes back with a better token finds everything as it was. Undefined where nothing is missing.
 */
function checkBatchScopes(
  access: ScopeAccess,
  server: EngineState,
  items: readonly Classified[],
  peer: Peer,
): Awaitable<ErrorResponse | undefined> {
  if (!isLimited(peer)) return undefined;
  const demanded: Awaitable<Demanded>[] = [];
  for (const item of items) if (item.kind === 'request') demanded.push(demandedBy(server, item.message, peer));
  const all = demanded.some((each) => each instanceof Promise)
    ? Promise.all(demanded.map(async (each) => each))
    : (demanded as Demanded[]);
  return mapAwaitable(all, (lists) => rejectionFor(access, server, { peer, needed: allScopes(lists) }));
}

/** Undefined also where that can't be determined: such a request fails by itself. */
function demandedBy(server: EngineState, request: Request, peer: Peer): Awaitable<Demanded> {
  const method = requestMethods.get(request.method);
  const call = new Call(server, request, peer);
  call.caller = peer.session as Caller;
  try {
    const added = method === undefined ? server.extensions.method(request.method)?.access?.of(call.params) : undefined;
    const demanded = method?.fullRequirement?.(call) ?? method?.requirement?.(call) ?? added;
    return demanded instanceof Promise ? demanded.catch(() => undefined) : demanded;
  } catch {
    return undefined;
  }
}

function rejectionFor(
  access: ScopeAccess,
  server: EngineState,
  { peer, needed }: { peer: Peer; needed: Demanded },
): ErrorResponse | undefined {
  if (needed === undefined || hasScopes(peer, needed)) return undefined;
  const error = missingScopes('This batch', needed, peer);
  const { requiredScopes: asked = [] } = requiredBy(error) ?? {};
  access.logElevation(server, peer, { what: 'A batch', asked, client: peer.session?.clientInfo?.name });
  return { jsonrpc: '2.0', id: null, error: error.toBody() };
}

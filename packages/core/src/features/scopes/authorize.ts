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

/** Requires scopes of callers, if an entry of the server declares some. */
export function authorization(access: ScopeAccess): Feature {
  // Before middleware: nothing has run, and no response was started.
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

type ScopeList = readonly string[] | undefined;

/**
 * Rejects a batch whose caller lacks a scope of any of its requests: none is served, so that the client can retry all of it
 * with a better token. Undefined if nothing is missing.
 */
function checkBatchScopes(
  access: ScopeAccess,
  server: EngineState,
  items: readonly Classified[],
  peer: Peer,
): Awaitable<ErrorResponse | undefined> {
  if (!isLimited(peer)) return undefined;
  const required: Awaitable<ScopeList>[] = [];
  for (const item of items) if (item.kind === 'request') required.push(requiredScopesOf(server, item.message, peer));
  const all = required.some((each) => each instanceof Promise)
    ? Promise.all(required.map(async (each) => each))
    : (required as ScopeList[]);
  return mapAwaitable(all, (lists) => rejectionFor(access, server, { peer, needed: allScopes(lists) }));
}

/** The scopes that a request requires; undefined also if they can't be resolved: such a request fails later. */
function requiredScopesOf(server: EngineState, request: Request, peer: Peer): Awaitable<ScopeList> {
  const method = requestMethods.get(request.method);
  const call = new Call(server, request, peer);
  call.caller = peer.session as Caller;
  try {
    const added = method === undefined ? server.extensions.method(request.method)?.access?.of(call.params) : undefined;
    const required = method?.fullRequirement?.(call) ?? method?.requirement?.(call) ?? added;
    return required instanceof Promise ? required.catch(() => undefined) : required;
  } catch {
    return undefined;
  }
}

function rejectionFor(
  access: ScopeAccess,
  server: EngineState,
  { peer, needed }: { peer: Peer; needed: ScopeList },
): ErrorResponse | undefined {
  if (needed === undefined || hasScopes(peer, needed)) return undefined;
  const error = missingScopes('This batch', needed, peer);
  const { requiredScopes: asked = [] } = requiredBy(error) ?? {};
  access.logElevation(server, peer, { what: 'A batch', asked, client: peer.session?.clientInfo?.name });
  return { jsonrpc: '2.0', id: null, error: error.toBody() };
}

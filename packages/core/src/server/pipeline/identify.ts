import { brief, ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Request } from '../../jsonrpc/message.ts';
import { declares } from '../../protocol/capabilities.ts';
import { callerInSession, readCaller } from '../../revisions/read-caller.ts';
import type { Caller } from '../../revisions/revision.ts';
import type { Call } from '../call/call.ts';
import { missingExtension } from '../extension.ts';
import { requestMethods } from '../methods/index.ts';
import { openSession } from '../methods/initialize.ts';
import type { RequestStep } from './step.ts';

/** Determines the caller, the revision and the method of a request. */
export const identify: RequestStep = (next) => (call) => {
  const { peer } = call;
  const { session } = peer;
  const request = call.received as Request;
  // Checked here, since another request with this id may have started while this one waited.
  if (peer.running.has(request.id)) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: another request with this id is still running');
  }
  let { caller } = peer;
  if (caller === undefined) {
    caller = readCaller(request);
    if (caller !== undefined && session !== undefined) session.isStateless = true;
    const isInSession = session?.revision !== undefined && request.method !== 'initialize';
    caller ??= isInSession ? (session as Caller) : callerOutsideSession(call);
  }
  call.caller = caller;
  findMethod(call);
  return next(call);
};

/** The caller of a request without its own identification, outside a session. */
function callerOutsideSession({ host, peer, received }: Call): Caller {
  const request = received as Request;
  if (request.method === 'initialize') return openSession(host, request, peer);
  return callerInSession(request, peer.session, (method) => host.extensions.method(method) !== undefined);
}

/** Finds the method of a request: one of its revision, or of an extension that both sides declare. */
export function findMethod(call: Call): void {
  const { server, method } = call;
  const { revision } = call.caller;
  const own = revision.requests.has(method) ? requestMethods.get(method) : undefined;
  if (own !== undefined) {
    const { needs } = server.methods.of(method);
    const { capabilities } = server;
    if (needs !== undefined && !(capabilities.offered ?? capabilities.readOffered()).has(needs)) throw notFound(method);
    call.served = own;
    return;
  }
  const found = server.extensions.methodIn(method, revision);
  if (found === undefined) throw notFound(method);
  const { id } = found.extension;
  const servesAll = revision.era === 'handshake' || found.method.servesEveryone === true;
  if (!servesAll && !declares(call.caller.capabilities, id)) throw missingExtension(`"${method}"`, id);
}

function notFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${brief(method)}`);
}

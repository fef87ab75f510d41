import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Request, type Response } from '../../jsonrpc/message.ts';
import { boundedInfo, checkCapabilities, type Implementation, infoError } from '../../protocol/identity.ts';
import { negotiate } from '../../revisions/negotiate.ts';
import type { Result } from '../../protocol/results.ts';
import type { Caller, Revision } from '../../revisions/revision.ts';
import type { Peer } from '../peer.ts';
import type { EngineState } from '../engine-state.ts';
import { instructionsOf } from '../options.ts';
import type { Method } from '../call/call.ts';

/** Initializes a session from `initialize`. */
export function openSession(server: EngineState, request: Request, { session }: Peer): Caller {
  if (session === undefined) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: this connection keeps no sessions');
  }
  if (session.revision !== undefined) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: the session is already initialized');
  }
  const client = readClient(server, request);
  session.clientInfo = client.clientInfo;
  session.revision = client.revision;
  session.handshake = request.id;
  session.capabilities = client.capabilities;
  if (server.capabilities.offers('logging')) session.logLevel = server.options.logLevel ?? 'info';
  return session as Caller;
}

/** The client's identity and the negotiated revision. Throws if the handshake must be rejected. */
function readClient(
  server: EngineState,
  { params = {} }: Request,
): Pick<Caller, 'revision' | 'capabilities' | 'clientInfo'> {
  const { protocolVersion, capabilities = {}, clientInfo } = params;
  const { strictVersions = false, anyVersion = false } = server.options;
  const revision = negotiate(protocolVersion, anyVersion ? 'any' : strictVersions ? 'known' : 'dates');
  if (!isObject(capabilities)) throw invalidParams('"capabilities" must be an object');
  const { name = '', version = '' } = isObject(clientInfo)
    ? clientInfo
    : { name: clientInfo === undefined ? '' : null };
  if (typeof name !== 'string' || typeof version !== 'string') throw infoError('"clientInfo"');
  checkCapabilities(capabilities, '"capabilities"');
  return {
    revision,
    capabilities,
    clientInfo: boundedInfo(clientInfo as Implementation | undefined, '"clientInfo"'),
  };
}

function resultFor(server: EngineState, revision: Revision): Result {
  const instructions = instructionsOf(server);
  return {
    protocolVersion: revision.version,
    capabilities: server.capabilities.forRevision(revision),
    serverInfo: server.info,
    ...(instructions !== undefined && { instructions }),
  };
}

/** Serves `initialize`. */
export const initialize: Method = {
  run: ({ server, revision }) => resultFor(server, revision),
};

/**
 * The response to an `initialize` without middleware. It opens no session: `openSession` does. Throws if the handshake
 * must be rejected.
 */
export function answerHandshake(server: EngineState, request: Request): Response {
  // Handshake results are the same in all revisions.
  return { jsonrpc: '2.0', id: request.id, result: resultFor(server, readClient(server, request).revision) };
}

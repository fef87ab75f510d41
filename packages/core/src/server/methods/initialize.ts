import { ErrorCode, invalidParams, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Request } from '../../jsonrpc/message.ts';
import { boundedInfo, checkCapabilities } from '../../protocol/client-identity.ts';
import type { Implementation } from '../../protocol/identity.ts';
import { negotiate } from '../../revisions/history.ts';
import type { Caller } from '../../revisions/revision.ts';
import type { Exchange } from '../exchange.ts';
import type { Engine } from '../engine.ts';
import type { Method } from './method.ts';

/** Fills a session with what its client says of itself. */
export function openSession(server: Engine, request: Request, { session }: Exchange): Caller {
  if (session === undefined) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: this connection keeps no sessions');
  }
  if (session.revision !== undefined) {
    throw new ProtocolError(ErrorCode.InvalidRequest, 'Invalid request: the session is already initialized');
  }
  const { protocolVersion, capabilities = {}, clientInfo } = request.params ?? {};
  const { strictVersions = false, anyVersion = false } = server.options;
  const revision = negotiate(protocolVersion, anyVersion ? 'any' : strictVersions ? 'known' : 'dates');
  if (!isObject(capabilities)) throw invalidParams('"capabilities" must be an object');
  if (clientInfo !== undefined && !isObject(clientInfo)) throw invalidParams('"clientInfo" must be an object');
  checkCapabilities(capabilities, '"capabilities"');
  session.clientInfo = boundedInfo(clientInfo as Implementation | undefined, '"clientInfo"');
  session.revision = revision;
  session.handshake = request.id;
  session.capabilities = capabilities;
  if (server.offers('logging')) session.logLevel = server.options.logLevel ?? 'info';
  return session as Caller;
}

/** Serves `initialize`. */
export const initialize: Method = {
  run({ server, revision }) {
    const { instructions } = server.options;
    return {
      protocolVersion: revision.version,
      capabilities: server.capabilitiesIn(revision),
      serverInfo: server.info,
      ...(instructions !== undefined && { instructions }),
    };
  },
};

import { assumedVersion, handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import { type Awaitable, mapAwaitable } from '../../../../jsonrpc/awaitable.ts';
import { type ProtocolError, quoteBriefly } from '../../../../jsonrpc/errors.ts';
import type { Auth } from '../../../../server/peer.ts';
import type { Rejection } from '../answer/reject.ts';
import type { HttpRequest } from '../bindings/binding.ts';
import type { Sessions } from './sessions.ts';

/** The session of a handshake client's message. Without an id it is for this message only. */
export interface MessageSession {
  readonly session: Session;
  readonly id: string | undefined;
  /** Stores the changes of the message, or returns why not. Absent if there is nothing to store. */
  readonly save?: () => Promise<ProtocolError | undefined>;
}

/** Rejects a message to a session that does not exist, or belongs to another caller. */
export const sessionNotFound: Rejection = {
  status: 404,
  message: 'Session not found: begin a new one with "initialize"',
};

/** Finds the session of a message; a message that changes it gets a copy to save. */
export function sessionOf(
  sessions: Sessions,
  { http, auth }: { http: HttpRequest; auth?: Auth },
  { changes }: { changes: boolean },
): Awaitable<MessageSession | Rejection> {
  const version = http.header('mcp-protocol-version');
  if (version !== undefined && handshakeRevision(version) === undefined) {
    return { status: 400, message: `Unsupported MCP-Protocol-Version: ${quoteBriefly(version)}` };
  }
  const id = http.header('mcp-session-id');
  if (id === undefined) {
    const session = new Session();
    session.revision = handshakeRevision(version ?? assumedVersion);
    return { session, id };
  }
  if (changes) {
    return mapAwaitable(sessions.load(id, auth?.principal), (loaded) =>
      loaded === undefined ? sessionNotFound : { session: loaded.session, id, save: () => sessions.save(id, loaded) },
    );
  }
  const found = sessions.find(id, auth?.principal);
  if (found instanceof Promise)
    return found.then((late) => (late === undefined ? sessionNotFound : { session: late, id }));
  return found === undefined ? sessionNotFound : { session: found, id };
}

/** True if the message is rejected. */
export function isRejected(member: MessageSession | Rejection): member is Rejection {
  return 'status' in member;
}

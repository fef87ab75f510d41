import { assumedVersion, handshakeRevision } from '../../../../revisions/history.ts';
import { Session } from '../../../../server/session.ts';
import { type Awaitable, whenThere } from '../../../../jsonrpc/awaitable.ts';
import { type ProtocolError, quotedBriefly } from '../../../../jsonrpc/errors.ts';
import type { Auth } from '../../../../server/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { HttpRequest } from '../bindings/binding.ts';
import type { Sessions } from './sessions.ts';

/** What a handshake client's message belongs to. Without an id it is served once, and nothing is remembered. */
export interface MessageSession {
  readonly session: Session;
  readonly id: string | undefined;
  /** Keeps what the message has changed in the session, or says why not. Absent where there is nothing to keep. */
  readonly save?: () => Promise<ProtocolError | undefined>;
}

/** The refusal of a message to a session that is not there, or not the caller's. */
export const gone: Refusal = { status: 404, message: 'Session not found: begin a new one with "initialize"' };

/** Finds the session that a message belongs to; one that changes it gets it whole, and a copy of its own. */
export function sessionOf(
  sessions: Sessions,
  { http, auth }: { http: HttpRequest; auth: Auth | undefined },
  { changes }: { changes: boolean },
): Awaitable<MessageSession | Refusal> {
  const version = http.header('mcp-protocol-version');
  if (version !== undefined && handshakeRevision(version) === undefined) {
    return { status: 400, message: `Unsupported MCP-Protocol-Version: ${quotedBriefly(version)}` };
  }
  const id = http.header('mcp-session-id');
  if (id === undefined) {
    const session = new Session();
    session.revision = handshakeRevision(version ?? assumedVersion);
    return { session, id };
  }
  if (changes) {
    return whenThere(sessions.load(id, auth?.principal), (loaded) =>
      loaded === undefined ? gone : { session: loaded.session, id, save: () => sessions.save(id, loaded) },
    );
  }
  const found = sessions.find(id, auth?.principal);
  return found instanceof Promise ? found.then((session) => memberOf(session, id)) : memberOf(found, id);
}

function memberOf(session: Session | undefined, id: string): MessageSession | Refusal {
  return session === undefined ? gone : { session, id };
}

/** True where the message was refused instead. */
export function isRefused(member: MessageSession | Refusal): member is Refusal {
  return 'status' in member;
}

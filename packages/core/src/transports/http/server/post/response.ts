import type { Response } from '../../../../jsonrpc/message.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { isRefused, sessionOf } from '../sessions/session-of-message.ts';
import { refuse } from '../answer/refusal.ts';
import { sendEmpty } from '../answer/send.ts';

/** Takes a handshake client's answer to a question, wherever in the session it was asked. */
export async function postResponse(endpoint: Endpoint, visit: Visit, response: Response): Promise<void> {
  const member = await sessionOf(endpoint.sessions, visit, { changes: false });
  if (isRefused(member)) return refuse(visit, member);
  if (member.id === undefined) {
    return refuse(visit, { status: 400, message: 'A response belongs to a session: Mcp-Session-Id is missing' });
  }
  await endpoint.sessions.tell(member.id, { kind: 'answer', response });
  sendEmpty(visit, 202);
}

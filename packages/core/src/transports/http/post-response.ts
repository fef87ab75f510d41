import type { Response } from '../../jsonrpc/message.ts';
import type { Hub, Visit } from './hub.ts';
import { isRefused, membership } from './membership.ts';
import { refuse, sendEmpty } from './refusal.ts';

/** Takes a handshake client's answer to a question, wherever in the session it was asked. */
export async function postResponse(hub: Hub, visit: Visit, response: Response): Promise<void> {
  const member = await membership(hub, visit, { changes: false });
  if (isRefused(member)) return refuse(visit, member);
  if (member.id === undefined) {
    return refuse(visit, { status: 400, message: 'A response belongs to a session: Mcp-Session-Id is missing' });
  }
  await hub.sessions.tell(member.id, { kind: 'answer', response });
  sendEmpty(visit, 202);
}

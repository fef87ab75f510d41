import type { Response } from '../../../../jsonrpc/message.ts';
import { exceeds } from '../../../../jsonrpc/size.ts';
import { limits } from '../../../../limits.ts';
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
  if (isTooDeep(response)) return refuse(visit, { status: 400, message: tooDeep });
  await endpoint.sessions.tell(member.id, { kind: 'answer', response });
  sendEmpty(visit, 202);
}

const depth = limits.server.answerDepth.value;
const tooDeep = `The response is nested too deep: at most ${depth} levels`;

/** True for a response that could not be written as text again, which telling other instances needs. */
export function isTooDeep(response: Response): boolean {
  return exceeds(response, { length: Number.POSITIVE_INFINITY, depth });
}

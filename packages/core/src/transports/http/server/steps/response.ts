import type { Response } from '../../../../jsonrpc/message.ts';
import { exceeds } from '../../../../jsonrpc/size.ts';
import { reject } from '../answer/reject.ts';
import { sendEmpty } from '../answer/send.ts';
import type { HttpContext } from '../endpoint/context.ts';

/** Receives a client's response to a question, on whichever instance of the session it was asked. */
export async function receiveResponse(context: HttpContext, response: Response): Promise<void> {
  const id = context.member?.id;
  if (id === undefined) {
    return reject(context, { status: 400, message: 'A response belongs to a session: Mcp-Session-Id is missing' });
  }
  if (isTooDeep(response)) return reject(context, { status: 400, message: tooDeep });
  await context.endpoint.sessions.publish(id, { kind: 'answer', response });
  sendEmpty(context, 202);
}

/** Levels of nesting in a client's response. */
const depth = 1000;
const tooDeep = `The response is nested too deep: at most ${depth} levels`;

/** True for a response that can't be serialized again for other instances. */
export function isTooDeep(response: Response): boolean {
  return exceeds(response, { length: Number.POSITIVE_INFINITY, depth });
}

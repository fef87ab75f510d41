import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { isId, type Notification } from '../../../../jsonrpc/message.ts';
import { sendEmpty } from '../answer/send.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';

/** Receives a notification. A stateless client has none to cancel a request: it closes its connection. */
export function receiveNotification(context: HttpContext, notification: Notification): Awaitable<void> {
  if (context.session !== undefined) return receiveInSession(context, notification);
  context.send = () => {};
  void context.endpoint.server.handle(notification, context);
  return sendEmpty(context, 202);
}

async function receiveInSession(context: HttpContext, notification: Notification): Promise<void> {
  const { endpoint, member } = context;
  if (member?.id !== undefined && !(await cancelRequest(endpoint, member.id, notification))) {
    // Messages caused by a notification go to the stream of the session.
    context.send = (message) => {
      if (!('id' in message)) context.notify?.(message);
    };
    await endpoint.server.handle(notification, context);
    await member.save?.();
  }
  sendEmpty(context, 202);
}

/** Cancels a request of a session on whichever instance it runs; false for any other notification. */
export async function cancelRequest(
  { sessions }: Endpoint,
  session: string,
  { method, params }: Notification,
): Promise<boolean> {
  if (method !== 'notifications/cancelled') return false;
  const { requestId: id, reason } = params ?? {};
  if (isId(id)) await sessions.publish(session, { kind: 'cancel', id, ...(typeof reason === 'string' && { reason }) });
  return true;
}

import { isId, type Notification } from '../../../../jsonrpc/message.ts';
import { claimsStateless, statelessVersions } from '../../../../revisions/admit.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { inBackground, type Endpoint, type Visit } from '../endpoint/endpoint.ts';
import { isRefused, type Membership, membership } from '../sessions/membership.ts';
import { checkMethod, checkVersion } from '../gate/mirrored-headers.ts';
import { refuse, sendEmpty } from '../answer/refusal.ts';

/** Takes a notification. One of the stateless era has nothing to tell here: there, going away is cancelling. */
export function postNotification(endpoint: Endpoint, visit: Visit, notification: Notification): Awaitable<void> {
  const { http } = visit;
  const version = http.header('mcp-protocol-version');
  if (claimsStateless(notification.params)) {
    if (version !== undefined) checkVersion(http, notification);
    if (http.header('mcp-method') !== undefined) checkMethod(http, notification);
    return sendEmpty(visit, 202);
  }
  if (version !== undefined && statelessVersions.includes(version)) return sendEmpty(visit, 202);
  return postHandshakeNotification(endpoint, visit, notification);
}

async function postHandshakeNotification(endpoint: Endpoint, visit: Visit, notification: Notification): Promise<void> {
  const member = await membership(endpoint, visit, { changes: true });
  if (isRefused(member)) return refuse(visit, member);
  await take(endpoint, visit, notification, member);
  sendEmpty(visit, 202);
}

async function take(
  endpoint: Endpoint,
  { auth }: Visit,
  notification: Notification,
  member: Membership,
): Promise<void> {
  const { id, session } = member;
  if (id === undefined) return;
  if (await cancel(endpoint, id, notification)) return;
  await endpoint.server.handle(notification, {
    ...(auth !== undefined && { auth }),
    session,
    running: new Map(),
    send: (message) => {
      if (!('id' in message))
        inBackground(endpoint, () => endpoint.sessions.tell(id, { kind: 'notify', notification: message }));
    },
  });
  await member.save?.();
}

/** Stops a running request of a session, wherever it runs; false where the notification wants something else. */
export async function cancel(
  { sessions }: Endpoint,
  session: string,
  { method, params }: Notification,
): Promise<boolean> {
  if (method !== 'notifications/cancelled') return false;
  const { requestId: id, reason } = params ?? {};
  if (isId(id)) await sessions.tell(session, { kind: 'cancel', id, ...(typeof reason === 'string' && { reason }) });
  return true;
}

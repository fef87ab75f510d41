import { isId, type Notification } from '../../../../jsonrpc/message.ts';
import { checkVersionHeader, claimedVersion } from '../../../../revisions/admit.ts';
import { statelessVersions } from '../../../../revisions/history.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { runInBackground } from '../../../../server/run-in-background.ts';
import type { Endpoint, Visit } from '../endpoint/endpoint.ts';
import { isRefused, type MessageSession, sessionOf } from '../sessions/session-of-message.ts';
import { checkMethod } from '../gate/mirrored-headers.ts';
import { refuse } from '../answer/refusal.ts';
import { sendEmpty } from '../answer/send.ts';

/** Takes a notification. In the stateless era only extensions have some: a client cancels there by going away. */
export function postNotification(endpoint: Endpoint, visit: Visit, notification: Notification): Awaitable<void> {
  const { http, auth } = visit;
  const version = http.header('mcp-protocol-version');
  const claimed = claimedVersion(notification.params);
  if (claimed !== undefined) {
    if (version !== undefined) checkVersionHeader(version, claimed);
    if (http.header('mcp-method') !== undefined) checkMethod(http, notification);
    void endpoint.server.handle(notification, {
      ...(auth !== undefined && { auth }),
      running: new Map(),
      send: () => {},
    });
    return sendEmpty(visit, 202);
  }
  if (version !== undefined && statelessVersions.includes(version)) return sendEmpty(visit, 202);
  return postHandshakeNotification(endpoint, visit, notification);
}

async function postHandshakeNotification(endpoint: Endpoint, visit: Visit, notification: Notification): Promise<void> {
  const member = await sessionOf(endpoint.sessions, visit, { changes: true });
  if (isRefused(member)) return refuse(visit, member);
  await take(endpoint, visit, notification, member);
  sendEmpty(visit, 202);
}

async function take(
  endpoint: Endpoint,
  { auth }: Visit,
  notification: Notification,
  member: MessageSession,
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
        runInBackground(endpoint.server, () => endpoint.sessions.tell(id, { kind: 'notify', notification: message }));
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

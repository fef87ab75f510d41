import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { ProtocolError } from '../../../../jsonrpc/errors.ts';
import type { Classified, ErrorResponse, Notification, Parsed } from '../../../../jsonrpc/message.ts';
import { checkVersionHeader, claimedVersion, readCaller } from '../../../../revisions/read-caller.ts';
import { statelessVersions } from '../../../../revisions/history.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';
import { StoreFailure } from '../../../../server/store-failure.ts';
import { reject, type Rejection } from '../answer/reject.ts';
import { sendEmpty } from '../answer/send.ts';
import type { HttpContext } from '../endpoint/context.ts';
import { joinSession } from '../endpoint/session-peer.ts';
import { type MessageSession, sessionOf } from '../sessions/session-of-message.ts';
import { checkMethodHeader, checkMirroredHeaders } from './mirrored-headers.ts';
import { rejectMessage } from './parse.ts';
import type { Handler, Step } from './step.ts';

/**
 * Finds the revision that a message speaks, and the session of a handshake client. Answers 400 where the message
 * contradicts itself or its headers.
 */
export const negotiate: Step = (next) => (context) => {
  const { http, endpoint } = context;
  const message = context.message as Parsed;
  const version = http.header('mcp-protocol-version');
  try {
    if (message.kind === 'request') {
      const request = message.message;
      const caller = readCaller(request, { version, session: http.header('mcp-session-id') });
      if (caller !== undefined) {
        checkMirroredHeaders(http, request, endpoint.server);
        context.caller = caller;
        return next(context);
      }
      if (request.method === 'initialize') return next(context);
    } else if (message.kind === 'notification') {
      if (isStateless(context, message.message, version)) return next(context);
      // In the stateless era only extensions have notifications, and those name their version.
      if (version !== undefined && statelessVersions.includes(version)) return sendEmpty(context, 202);
    }
  } catch (error) {
    return rejectContradiction(context, error);
  }
  const { methods } = endpoint.server;
  const changes =
    message.kind === 'request'
      ? methods.of(message.message.method).changesSession === true
      : changesSession(methods, message);
  const found = sessionOf(endpoint.sessions, context, { changes });
  return found instanceof Promise ? found.then((member) => join(context, member, next)) : join(context, found, next);
};

/** True for a notification that names its version. Checks what its headers repeat. */
function isStateless({ http }: HttpContext, notification: Notification, version: string | undefined): boolean {
  const claimed = claimedVersion(notification.params);
  if (claimed === undefined) return false;
  if (version !== undefined) checkVersionHeader(version, claimed);
  if (http.header('mcp-method') !== undefined) checkMethodHeader(http, notification);
  return true;
}

function rejectContradiction(context: HttpContext, error: unknown): void {
  if (!(error instanceof ProtocolError) || error instanceof StoreFailure) throw error;
  const { message } = context;
  const id = message?.kind === 'request' ? { id: message.message.id } : {};
  rejectMessage(context, { jsonrpc: '2.0', ...id, error: error.toBody() } as ErrorResponse);
}

function join(context: HttpContext, member: MessageSession | Rejection, next: Handler): Awaitable<void> {
  if ('session' in member) {
    joinSession(context, member);
    return next(context);
  }
  const { message } = context;
  return reject(context, message?.kind === 'request' ? { ...member, id: message.message.id } : member);
}

/** True for a message that may change its session, which is then read from the store. */
function changesSession(methods: MethodTable, message: Parsed | Classified): boolean {
  switch (message.kind) {
    case 'request':
      return methods.of(message.message.method).changesSession === true;
    case 'notification':
      return true;
    case 'batch':
      return message.items.some((item) => changesSession(methods, item));
    default:
      return false;
  }
}

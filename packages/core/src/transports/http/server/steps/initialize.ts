import type { Request, Response } from '../../../../jsonrpc/message.ts';
import { Session } from '../../../../server/session.ts';
import type { HttpContext } from '../endpoint/context.ts';
import { reject } from '../answer/reject.ts';
import { addHeaders } from '../answer/send.ts';
import { respond } from './respond.ts';

/** Creates a session where the handshake succeeds. */
export async function initialize(context: HttpContext, request: Request): Promise<void> {
  const { endpoint, http, auth, usage } = context;
  const given = http.header('mcp-session-id');
  if (given !== undefined && (await endpoint.sessions.find(given, auth?.principal)) !== undefined) {
    const message = 'The session is already initialized: leave Mcp-Session-Id out to begin another';
    return reject(context, { status: 400, message, id: request.id });
  }
  const session = new Session();
  context.session = session;
  // The response must be the first thing that the client reads: its headers have the id of the session.
  context.send = () => {};
  const response = (await endpoint.server.handle(request, context)) as Response;
  if (!('error' in response)) {
    addHeaders(context, ['Mcp-Session-Id', await endpoint.sessions.create(session, auth?.principal, usage.owner)]);
  }
  return respond(context, response);
}

import type { Request, Response } from '../../../../jsonrpc/message.ts';
import type { Exchange } from '../../../../server/exchange.ts';
import { Session } from '../../../../server/session.ts';
import { type Endpoint, originOf, type Visit } from '../endpoint/endpoint.ts';
import { type CountedRate, rateFields } from '../answer/rate-fields.ts';
import { refuse } from '../answer/refusal.ts';
import { Reply } from './reply.ts';

/** Begins a session, where the handshake succeeds. */
export async function postInitialize(endpoint: Endpoint, visit: Visit, request: Request): Promise<void> {
  const { http, headers, auth, usage } = visit;
  const given = http.header('mcp-session-id');
  if (given !== undefined && (await endpoint.sessions.find(given, auth?.principal)) !== undefined) {
    const message = 'The session is already initialized: leave Mcp-Session-Id out to begin another';
    return refuse(visit, { status: 400, message, id: request.id });
  }
  const session = new Session();
  const origin = originOf(visit);
  const rates: CountedRate[] = [];
  const exchange: Exchange = {
    ...(auth !== undefined && { auth }),
    origin,
    usage,
    session,
    running: new Map(),
    send: () => {},
    rated: (counter, rated) => void rates.push({ counter, rated }),
  };
  const response = (await endpoint.server.handle(request, exchange)) as Response;
  const rated = rates.length === 0 ? headers : [...headers, ...rateFields(rates)];
  if ('error' in response) return new Reply(endpoint, { ...visit, headers: rated }, {}).finish(response);
  const id = await endpoint.sessions.create(session, auth?.principal, usage.owner);
  return new Reply(endpoint, { ...visit, headers: [...rated, 'Mcp-Session-Id', id] }, {}).finish(response);
}

import { brief, type ProtocolError } from '../../jsonrpc/errors.ts';
import type { RequestId } from '../../jsonrpc/message.ts';
import type { Implementation } from '../../protocol/identity.ts';
import type { CallToolResult } from '../../protocol/results.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownScopes } from './known-scopes.ts';
import { type Logger, wants } from '../observe/log.ts';
import { requiredBy, toScopesResult, withNeeded } from './insufficient-scope.ts';

/** What is known of a call whose caller lacks scopes. */
interface LackingCall {
  readonly method: string;
  readonly requestId: RequestId | undefined;
  readonly subject: string;
  readonly clientInfo: Implementation | undefined;
  readonly exchange: Exchange;
  readonly scopes: readonly string[] | undefined;
  readonly host: ScopesHost & { readonly methods: { of(method: string): { readonly belongsTo?: string } } };
}

/** Whose log it is, and who remembers the scopes. */
interface ScopesHost {
  readonly info: Implementation;
  readonly logger: Logger;
  readonly knownScopes: KnownScopes;
}

/** How a caller is told that scopes are missing: by this error, or by this result of a tool. */
export interface Lacking {
  readonly error: ProtocolError;
  readonly result?: CallToolResult;
}

/** How a call is answered that failed because scopes are missing; undefined where it failed for another reason. */
export function toScopeResponse(call: LackingCall, failure: ProtocolError): Lacking | undefined {
  const required = requiredBy(failure);
  if (required === undefined) return undefined;
  const { host, exchange, method, subject, clientInfo, requestId } = call;
  const error = withNeeded(failure, required, call.scopes);
  const asked = requiredBy(error)?.requiredScopes ?? [];
  logElevation(host, exchange, { what: subject, asked, client: clientInfo?.name, request: requestId });
  const { entrance } = exchange;
  // Whoever reads the result is a model, or a host that looks nowhere else; an error is for programs.
  if (host.methods.of(method).belongsTo !== 'tool' || entrance?.refusalForm() === 'error') return { error };
  return { error, result: toScopesResult(error, entrance?.challenges(asked) ?? []) };
}

/** What a caller wanted, and by which program. */
interface Wish {
  what: string;
  asked: readonly string[];
  client?: string | undefined;
  request?: RequestId | undefined;
}

/** Writes down that a caller is asked for more than they were granted. That nobody has signed in yet is nothing special. */
export function logElevation({ info, logger, knownScopes }: ScopesHost, { auth }: Exchange, wish: Wish): void {
  knownScopes.add(wish.asked);
  const level = auth === undefined ? 'debug' : 'notice';
  if (!wants(logger, level)) return;
  const client = typeof auth?.clientId === 'string' ? auth.clientId : wish.client;
  const data = {
    message: 'Scopes are missing',
    what: wish.what,
    asked: wish.asked,
    granted: auth?.scopes?.slice(0, wish.asked.length + SHOWN) ?? [],
    ...(auth !== undefined && { principal: auth.principal }),
    ...(client !== undefined && { client: brief(client) }),
    ...(wish.request !== undefined && { request: brief(String(wish.request)) }),
  };
  logger.write({ level, logger: info.name, data });
}

/** So many more of a caller's scopes are shown: a token may have any number. */
const SHOWN = 32;

import { isObject, type Params } from '../jsonrpc/message.ts';
import { shortDigest } from '../runtime/short-digest.ts';
import type { Auth, Origin } from '../server/exchange.ts';
import type { ObservedRequest, RequestEnd } from '../server/observer.ts';
import type { AuditOptions } from './options.ts';
import { redacted, shortText } from './redact.ts';

type Fields = Record<string, unknown>;

/** What the log says of a request: who sent what, which way, with which arguments, and what came of it. */
export function entryOf(request: ObservedRequest, end: RequestEnd, options: AuditOptions): Fields {
  const { id, method, params, auth, origin } = request;
  const { outcome, durationMs, revision, clientInfo, error } = end;
  return {
    id: typeof id === 'string' ? shortText(id) : id,
    method: shortText(method),
    ...subjectOf(params),
    ...callerOf(auth),
    ...wayOf(origin),
    ...(clientInfo !== undefined && {
      client: shortText(`${clientInfo.name} ${clientInfo.version}`),
    }),
    ...(revision !== undefined && { revision }),
    ...(options.arguments !== false &&
      params.arguments !== undefined && { arguments: redacted(params.arguments, options.redact) }),
    outcome,
    ms: Math.round(durationMs * 1000) / 1000,
    ...(error !== undefined && { error: { code: error.code, message: shortText(error.message) } }),
    ...(options.results === true && error === undefined && { result: redacted(end.result(), options.redact) }),
  };
}

/** The tool, prompt or resource that a request is about. */
function subjectOf({ name, uri, ref }: Params): Fields {
  return {
    ...(typeof name === 'string' && { name: shortText(name) }),
    ...(typeof uri === 'string' && { uri: shortText(uri) }),
    ...(isObject(ref) && { ref: shortText(String(ref.name ?? ref.uri)) }),
  };
}

/** Who calls, as far as the authenticator says. */
function callerOf(auth: Auth | undefined): Fields {
  if (auth === undefined) return {};
  const { issuer, subject, clientId } = auth;
  return {
    caller: shortText(auth.principal),
    ...(typeof issuer === 'string' && { issuer: shortText(issuer) }),
    ...(typeof subject === 'string' && { subject: shortText(subject) }),
    ...(typeof clientId === 'string' && { clientId: shortText(clientId) }),
  };
}

function wayOf(origin: Origin | undefined): Fields {
  if (origin === undefined) return {};
  const { transport, session, address } = origin;
  return {
    transport,
    ...(session !== undefined && { session: shortDigest(session) }),
    ...(address !== undefined && { address }),
  };
}

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
  // Member by member, since objects that are spread into others cost more than all the rest.
  const entry: Fields = { id: typeof id === 'string' ? shortText(id) : id, method: shortText(method) };
  addSubject(entry, params);
  if (auth !== undefined) addCaller(entry, auth);
  if (origin !== undefined) addWay(entry, origin);
  if (clientInfo !== undefined) entry.client = shortText(`${clientInfo.name} ${clientInfo.version}`);
  if (revision !== undefined) entry.revision = revision;
  if (options.arguments !== false && params.arguments !== undefined) {
    entry.arguments = redacted(params.arguments, options.redact);
  }
  entry.outcome = outcome;
  entry.ms = Math.round(durationMs * 1000) / 1000;
  if (error !== undefined) entry.error = { code: error.code, message: shortText(error.message) };
  else if (options.results === true) entry.result = redacted(end.result(), options.redact);
  return entry;
}

/** The tool, prompt or resource that a request is about. */
function addSubject(entry: Fields, { name, uri, ref }: Params): void {
  if (typeof name === 'string') entry.name = shortText(name);
  if (typeof uri === 'string') entry.uri = shortText(uri);
  if (isObject(ref)) entry.ref = shortText(String(ref.name ?? ref.uri));
}

/** Who calls, as far as the authenticator says. */
function addCaller(entry: Fields, { principal, issuer, subject, clientId }: Auth): void {
  entry.caller = shortText(principal);
  if (typeof issuer === 'string') entry.issuer = shortText(issuer);
  if (typeof subject === 'string') entry.subject = shortText(subject);
  if (typeof clientId === 'string') entry.clientId = shortText(clientId);
}

function addWay(entry: Fields, { transport, session, address }: Origin): void {
  entry.transport = transport;
  if (session !== undefined) entry.session = shortDigest(session);
  if (address !== undefined) entry.address = address;
}

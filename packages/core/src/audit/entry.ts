import { isObject, type Params } from '../jsonrpc/message.ts';
import { shortDigest } from '../runtime/short-digest.ts';
import type { Auth, Origin } from '../server/exchange.ts';
import type { ObservedRequest, RequestEnd } from '../server/observer.ts';
import type { AuditOptions } from './options.ts';
import { quoteJson, quoteName, redactToJson, truncateMasked } from './redact.ts';

/*
 * The members of a line are put together as text, because objects that are made to be written once cost more than all the
 * rest of a line.
 */

/**
 * What the log says of a request that has come: who sent what, which way, with which arguments. Made when it comes, so that nothing
 * else of it is kept for as long as it lasts.
 */
export function describeRequest({ id, method, params, auth, origin }: ObservedRequest, options: AuditOptions): string {
  const shownId = typeof id === 'string' ? quoteJson(truncateMasked(id)) : JSON.stringify(id);
  let members = `"id":${shownId},"method":${quoteName(method)}${subjectMembers(params)}`;
  if (auth !== undefined) members += callerMembers(auth);
  if (origin !== undefined) members += originMembers(origin);
  if (options.arguments === false || params.arguments === undefined) return members;
  return `${members},"arguments":${redactToJson(params.arguments, options.redact)}`;
}

/** What it says of the end of a request: what came of it, and what is known only then. */
export function describeOutcome(end: RequestEnd, options: AuditOptions): string {
  const { outcome, durationMs, revision, clientInfo, error } = end;
  let members = '';
  if (clientInfo !== undefined) members += `,"client":${quoteName(`${clientInfo.name} ${clientInfo.version}`)}`;
  if (revision !== undefined) members += `,"revision":"${revision}"`;
  members += `,"outcome":"${outcome}","ms":${Math.round(durationMs * 1000) / 1000}`;
  if (error !== undefined) {
    return `${members},"error":{"code":${JSON.stringify(error.code)},"message":${quoteJson(truncateMasked(error.message))}}`;
  }
  return options.results === true ? `${members},"result":${redactToJson(end.result(), options.redact)}` : members;
}

/** The tool, prompt or resource that a request is about. */
function subjectMembers({ name, uri, ref }: Params): string {
  let members = typeof name === 'string' ? `,"name":${quoteName(name)}` : '';
  if (typeof uri === 'string') members += `,"uri":${quoteName(uri)}`;
  if (isObject(ref)) members += `,"ref":${quoteName(String(ref.name ?? ref.uri))}`;
  return members;
}

/** Who calls, as far as the authenticator says. */
function callerMembers({ principal, issuer, subject, clientId }: Auth): string {
  let members = `,"caller":${quoteName(principal)}`;
  if (typeof issuer === 'string') members += `,"issuer":${quoteName(issuer)}`;
  if (typeof subject === 'string') members += `,"subject":${quoteName(subject)}`;
  if (typeof clientId === 'string') members += `,"clientId":${quoteName(clientId)}`;
  return members;
}

function originMembers({ transport, session, address }: Origin): string {
  let members = `,"transport":${quoteName(transport)}`;
  const digest = session === undefined ? undefined : shortDigest(session);
  if (digest !== undefined) members += `,"session":"${digest}"`;
  if (address !== undefined) members += `,"address":${quoteName(address)}`;
  return members;
}

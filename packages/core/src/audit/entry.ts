import { isObject, type Params } from '../jsonrpc/message.ts';
import { shortDigest } from '../runtime/short-digest.ts';
import type { Auth, Origin } from '../server/exchange.ts';
import type { ObservedRequest, RequestEnd } from '../server/observe/observer.ts';
import type { AuditOptions } from './options.ts';
import { quoteJson, quoteName, redactToJson, truncateMasked } from './redact.ts';

/*
 * The members of a line are put together as text, because objects that are made to be written once cost more than all the
 * rest of a line.
 */

/**
 * The members of a line that describe a request: caller, method, origin and arguments. Serialized at the start, so that
 * the request itself is not retained while it runs.
 */
export function describeRequest({ id, method, params, auth, origin }: ObservedRequest, options: AuditOptions): string {
  const shownId = typeof id === 'string' ? quoteJson(truncateMasked(id)) : JSON.stringify(id);
  let members = `"id":${shownId},"method":${quoteName(method)}${subjectMembers(params)}`;
  if (auth !== undefined) members += callerMembers(auth);
  if (origin !== undefined) members += originMembers(origin);
  if (options.arguments === false || params.arguments === undefined) return members;
  return `${members},"arguments":${redactToJson(params.arguments, options.redact)}`;
}

/** The members that describe the outcome of a request. */
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

/** The tool, prompt or resource of a request. */
function subjectMembers({ name, uri, ref }: Params): string {
  let members = typeof name === 'string' ? `,"name":${quoteName(name)}` : '';
  if (typeof uri === 'string') members += `,"uri":${quoteName(uri)}`;
  if (isObject(ref)) members += `,"ref":${quoteName(String(ref.name ?? ref.uri))}`;
  return members;
}

/** The caller, as the authenticator identified it. */
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

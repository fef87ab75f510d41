import { isObject, type Params } from '../jsonrpc/message.ts';
import { shortDigest } from '../runtime/short-digest.ts';
import type { Auth, Origin } from '../server/exchange.ts';
import type { ObservedRequest, RequestEnd } from '../server/observer.ts';
import type { AuditOptions } from './options.ts';
import { quoted } from './redact.ts';
import { quotedName, redactedJson, shortText } from './redact.ts';

/*
 * The members of a line are put together as text, because objects that are made to be written once cost more than all the
 * rest of a line.
 */

/**
 * What the log says of a request that has come: who sent what, which way, with which arguments. Made when it comes, so that nothing
 * else of it is kept for as long as it lasts.
 */
export function askedIn({ id, method, params, auth, origin }: ObservedRequest, options: AuditOptions): string {
  const shownId = typeof id === 'string' ? quoted(shortText(id)) : JSON.stringify(id);
  let members = `"id":${shownId},"method":${quotedName(method)}${subjectOf(params)}`;
  if (auth !== undefined) members += callerOf(auth);
  if (origin !== undefined) members += wayOf(origin);
  if (options.arguments === false || params.arguments === undefined) return members;
  return `${members},"arguments":${redactedJson(params.arguments, options.redact)}`;
}

/** What it says of the end of a request: what came of it, and what is known only then. */
export function endedWith(end: RequestEnd, options: AuditOptions): string {
  const { outcome, durationMs, revision, clientInfo, error } = end;
  let members = '';
  if (clientInfo !== undefined) members += `,"client":${quotedName(`${clientInfo.name} ${clientInfo.version}`)}`;
  if (revision !== undefined) members += `,"revision":"${revision}"`;
  members += `,"outcome":"${outcome}","ms":${Math.round(durationMs * 1000) / 1000}`;
  if (error !== undefined) {
    return `${members},"error":{"code":${JSON.stringify(error.code)},"message":${quoted(shortText(error.message))}}`;
  }
  return options.results === true ? `${members},"result":${redactedJson(end.result(), options.redact)}` : members;
}

/** The tool, prompt or resource that a request is about. */
function subjectOf({ name, uri, ref }: Params): string {
  let members = typeof name === 'string' ? `,"name":${quotedName(name)}` : '';
  if (typeof uri === 'string') members += `,"uri":${quotedName(uri)}`;
  if (isObject(ref)) members += `,"ref":${quotedName(String(ref.name ?? ref.uri))}`;
  return members;
}

/** Who calls, as far as the authenticator says. */
function callerOf({ principal, issuer, subject, clientId }: Auth): string {
  let members = `,"caller":${quotedName(principal)}`;
  if (typeof issuer === 'string') members += `,"issuer":${quotedName(issuer)}`;
  if (typeof subject === 'string') members += `,"subject":${quotedName(subject)}`;
  if (typeof clientId === 'string') members += `,"clientId":${quotedName(clientId)}`;
  return members;
}

function wayOf({ transport, session, address }: Origin): string {
  let members = `,"transport":${quotedName(transport)}`;
  const digest = session === undefined ? undefined : shortDigest(session);
  if (digest !== undefined) members += `,"session":"${digest}"`;
  if (address !== undefined) members += `,"address":${quotedName(address)}`;
  return members;
}

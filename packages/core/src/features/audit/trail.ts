import type { ObservedRequest, Observer, RequestEnd } from '../../server/observer.ts';
import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import { shortDigest } from '../../runtime/short-digest.ts';
import type { Middleware } from '../../server/call/operation.ts';
import { stderrLogger } from '../../server/log/log.ts';
import type { Auth, Origin } from '../../server/peer.ts';
import { type AuditOptions, checkOptions } from './options.ts';
import { quoteJson, quoteName, redactToJson, truncateMasked } from './redact.ts';
import { AuditWriter } from './writer.ts';

/** The retry delay that rejected callers get. */
const retryMs = 1000;

/** An open audit log: an observer with lifecycle methods. */
export interface AuditTrail extends Required<Pick<Observer, 'begin'>> {
  /** Rejects requests while the log can't be written, if `onFailure` is `reject`. */
  readonly guard: Middleware;
  /** Writes buffered lines. */
  flush(): void;
  /** Writes buffered lines and a final record. */
  close(): void;
}

/** The maximum number of buffered lines. */
const maxWaiting = 1000;

/** Writes a tamper-evident line for each request: `server.observe(audit({ file }))`. */
export function audit(options: AuditOptions): AuditTrail {
  checkOptions(options);
  const { flush: when = 'call', onFailure = 'continue', methods } = options;
  const writer = new AuditWriter(options, options.onError ?? logToStderr);
  // To reject requests after a failure, the failure must be known before the next request.
  const immediate = when === 'call' && onFailure === 'reject';
  let waiting: string[] = [];
  let isClosed = false;

  function flush(): void {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    writer.append(entries);
  }

  function add(entry: string, end: RequestEnd): void {
    waiting.push(entry);
    if (immediate || waiting.length >= maxWaiting) flush();
    else if (when === 'call') end.beforeAnswer(flush);
    else if (waiting.length === 1) setImmediate(flush);
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    process.off('exit', close);
    flush();
    writer.close();
  }

  process.once('exit', close);
  return {
    begin(request) {
      if (isClosed || (methods !== undefined && !methods.includes(request.method))) return undefined;
      const described = describeRequest(request, options);
      return {
        end(end) {
          if (!isClosed) add(`${described}${describeOutcome(end, options)}`, end);
        },
      };
    },
    guard(_operation, next) {
      if (onFailure === 'reject' && writer.isFailing && !writer.append([])) throw rejection();
      return next();
    },
    flush,
    close,
  };
}

function rejection(): ProtocolError {
  const retryAfterMs = retryMs;
  return new ProtocolError(
    ErrorCode.InternalError,
    'The server can not write its audit log, so it serves nothing: try again later',
    { retryAfterMs },
  );
}

function logToStderr(message: string): void {
  stderrLogger('warning').write({ level: 'error', logger: 'audit', data: message });
}

/*
 * The members of a line are put together as text, because objects that are made to be written once cost more than all the
 * rest of a line.
 */

/**
 * The members of a line that describe a request: caller, method, origin and arguments. Serialized at the start, so that
 * the request itself is not retained while it runs.
 */
function describeRequest({ id, method, params, auth, origin }: ObservedRequest, options: AuditOptions): string {
  const shownId = typeof id === 'string' ? quoteJson(truncateMasked(id)) : JSON.stringify(id);
  let members = `"id":${shownId},"method":${quoteName(method)}${subjectMembers(params)}`;
  if (auth !== undefined) members += callerMembers(auth);
  if (origin !== undefined) members += originMembers(origin);
  if (options.arguments === false || params.arguments === undefined) return members;
  return `${members},"arguments":${redactToJson(params.arguments, options.redact)}`;
}

/** The members that describe the outcome of a request. */
function describeOutcome(end: RequestEnd, options: AuditOptions): string {
  const { outcome, durationMs, revision, part, clientInfo, error } = end;
  let members = part === undefined ? '' : `,"part":${quoteName(part)}`;
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
  const referred = isObject(ref) ? (ref.name ?? ref.uri) : undefined;
  if (typeof referred === 'string') members += `,"ref":${quoteName(referred)}`;
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

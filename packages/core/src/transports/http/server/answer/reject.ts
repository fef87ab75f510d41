import type { AuthRejection } from '../../../../auth/server/authenticator.ts';
import { ErrorCode, type ProtocolError } from '../../../../jsonrpc/errors.ts';
import { isObject, type RequestId, type Response } from '../../../../jsonrpc/message.ts';
import type { RetryHint } from '../../../../server/retry-later.ts';
import { type CountedResource, overload, type Usage } from '../../../../features/quotas/quota.ts';
import type { HttpHeaders } from '../bindings/binding.ts';
import { type Recipient, sendJson } from './send.ts';

/** An error response to an HTTP request, as a value. */
export interface Rejection extends AuthRejection {
  readonly code?: number;
  readonly data?: unknown;
  readonly id?: RequestId | null;
}

/** Answers with an error. An id that was never read is left out. */
export function reject({ responder, headers }: Recipient, rejection: Rejection): void {
  const { status, message, code = ErrorCode.InvalidRequest, data, id } = rejection;
  const error = { code, message, data };
  const json = JSON.stringify(rejection.body ?? { jsonrpc: '2.0', ...(id !== undefined && { id }), error });
  const more = rejection.headers === undefined ? headers : [...headers, ...headerLines(rejection.headers)];
  sendJson({ responder, headers: more }, status, json);
}

/** Writes headers as the list that responders take. */
export function headerLines(headers: NonNullable<Rejection['headers']>): HttpHeaders {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
}

/** Creates a 503 with `Retry-After`. */
export function unavailable(message: string, retryAfterSeconds: number): Rejection {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return { status: 503, message, code: ErrorCode.InternalError, headers };
}

/** Creates the rejection for an exceeded quota: 429 for the caller's own, 503 for the server's. */
export function overQuota(full: Usage, what: CountedResource): Rejection {
  return retryLater(overload(full, what));
}

/** Makes the rejection for an error that says when to retry. */
export function retryLater({ code, message, data }: ProtocolError): Rejection {
  return { code, message, data, ...hintStatus(data as RetryHint) };
}

/** The status and headers of a response that asks to retry later; undefined for any other. */
export function retryStatus(response: Response): Pick<Rejection, 'status' | 'headers'> | undefined {
  if (!('error' in response)) return undefined;
  const { data } = response.error;
  return isObject(data) && typeof data.retryAfterMs === 'number' ? hintStatus(data as object as RetryHint) : undefined;
}

function hintStatus({ limit, retryAfterMs }: RetryHint): Pick<Rejection, 'status' | 'headers'> {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return { status: limit === 'server' ? 503 : 429, headers: { 'Retry-After': String(seconds) } };
}

import { ErrorCode, type ProtocolError } from '../../../../jsonrpc/errors.ts';
import { encode, type ErrorResponse, isObject, type RequestId, type Response } from '../../../../jsonrpc/message.ts';
import { overload, type RetryHint } from '../../../../server/quotas/overload.ts';
import type { Held, Usage } from '../../../../server/quotas/quota.ts';
import { type Addressee, sendJson } from './send.ts';

/** A request that is not served, and why. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** A list makes a line for each of its values. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The answer's JSON. Default: a JSON-RPC error with the message. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly code?: number;
  readonly data?: unknown;
  readonly id?: RequestId | null;
}

/** Answers with an error that says what was wrong. An id that was never read is left out. */
export function refuse({ responder, headers }: Addressee, refusal: Refusal): void {
  const { status, message, code = ErrorCode.InvalidRequest, data, id } = refusal;
  const error = { code, message, data };
  const json = JSON.stringify(refusal.body ?? { jsonrpc: '2.0', ...(id !== undefined && { id }), error });
  sendJson(withHeaders({ responder, headers }, refusal.headers ?? {}), status, json);
}

/** An addressee whose answer carries more headers. */
export function withHeaders({ responder, headers }: Addressee, more: NonNullable<Refusal['headers']>): Addressee {
  const lines = Object.entries(more).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
  return { responder, headers: [...headers, ...lines] };
}

/** Answers with a given JSON-RPC error and HTTP status. */
export function refuseWith(to: Addressee, status: number, response: ErrorResponse): void {
  sendJson(to, status, encode(response));
}

/** Makes the refusal of a request that may be sent again later. */
export function later(message: string, seconds: number): Refusal {
  return { status: 503, message, code: ErrorCode.InternalError, headers: { 'Retry-After': String(seconds) } };
}

/** Makes the refusal of a request that finds no room: 429 where the limit is the caller's own, 503 where it is everybody's. */
export function tooMuch(full: Usage, what: Held): Refusal {
  return comeBack(overload(full, what));
}

/** Makes the refusal of an error that says when to come back. */
export function comeBack({ code, message, data }: ProtocolError): Refusal {
  return { code, message, data, ...hintStatus(data as RetryHint) };
}

/** The status and headers of an answer that asks its caller to come back later; undefined for any other. */
export function laterStatus(response: Response): Pick<Refusal, 'status' | 'headers'> | undefined {
  if (!('error' in response)) return undefined;
  const { data } = response.error;
  return isObject(data) && typeof data.retryAfterMs === 'number' ? hintStatus(data as object as RetryHint) : undefined;
}

function hintStatus({ limit, retryAfterMs }: RetryHint): Pick<Refusal, 'status' | 'headers'> {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return { status: limit === 'server' ? 503 : 429, headers: { 'Retry-After': String(seconds) } };
}

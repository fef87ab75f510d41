import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import { encode, type ErrorResponse, type RequestId } from '../../../../jsonrpc/message.ts';
import { type Addressee, sendJson } from './send.ts';

/** A request that is not served, and why. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: number;
  readonly id?: RequestId | null;
}

/** Answers with an error that says what was wrong. An id that was never read is left out. */
export function refuse({ responder, headers }: Addressee, refusal: Refusal): void {
  const { status, message, code = ErrorCode.InvalidRequest, id } = refusal;
  const json = JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } });
  sendJson({ responder, headers: [...headers, ...Object.entries(refusal.headers ?? {}).flat()] }, status, json);
}

/** Answers with a given JSON-RPC error and HTTP status. */
export function refuseWith(to: Addressee, status: number, response: ErrorResponse): void {
  sendJson(to, status, encode(response));
}

/** Makes the refusal of a request that may be sent again later. */
export function later(message: string, seconds: number): Refusal {
  return { status: 503, message, code: ErrorCode.InternalError, headers: { 'Retry-After': String(seconds) } };
}

import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import { encode, type ErrorResponse, type RequestId } from '../../../../jsonrpc/message.ts';
import type { HttpHeaders, HttpResponder } from '../bindings/binding.ts';

/** A request that is not served, and why. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
  code?: number;
  id?: RequestId | null;
}

/** Whom an answer goes to, and what headers it carries beside its own. */
interface Addressee {
  readonly responder: HttpResponder;
  readonly headers: HttpHeaders;
}

const plainHeaders: HttpHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
const jsonHeaders: HttpHeaders = ['Content-Type', 'application/json', ...plainHeaders];

/** Headers in their usual case: none but those of the answer itself. */
export const noHeaders: HttpHeaders = [];

/** Answers with JSON. */
export function sendJson({ responder, headers }: Addressee, status: number, json: string): void {
  responder.send(status, headers === noHeaders ? jsonHeaders : [...headers, ...jsonHeaders], json);
}

/** Answers without a body. */
export function sendEmpty({ responder, headers }: Addressee, status: number): void {
  responder.send(status, [...headers, ...plainHeaders]);
}

/** Answers with a JSON-RPC error under a status of its own. */
export function sendError(visit: Addressee, status: number, answer: ErrorResponse): void {
  sendJson(visit, status, encode(answer));
}

/** Answers with an error that says what was wrong. An id that was never read is left out. */
export function refuse({ responder, headers }: Addressee, refusal: Refusal): void {
  const { status, message, code = ErrorCode.InvalidRequest, id } = refusal;
  const json = JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } });
  sendJson({ responder, headers: [...headers, ...Object.entries(refusal.headers ?? {}).flat()] }, status, json);
}

/** The refusal of something that would be served at another time. */
export function later(message: string, seconds: number): Refusal {
  return { status: 503, message, code: ErrorCode.InternalError, headers: { 'Retry-After': String(seconds) } };
}

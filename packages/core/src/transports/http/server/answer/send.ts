import type { HttpHeaders, HttpResponder } from '../bindings/binding.ts';

/** Whom an answer goes to, and what headers it carries beside its own. */
export interface Addressee {
  readonly responder: HttpResponder;
  readonly headers: HttpHeaders;
}

const plainHeaders: HttpHeaders = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
const jsonHeaders: HttpHeaders = ['Content-Type', 'application/json', ...plainHeaders];

/** No headers beside those of the answer itself. */
export const noHeaders: HttpHeaders = [];

/** Answers with JSON. */
export function sendJson({ responder, headers }: Addressee, status: number, json: string): void {
  responder.send(status, headers === noHeaders ? jsonHeaders : [...headers, ...jsonHeaders], json);
}

/** Answers without a body. */
export function sendEmpty({ responder, headers }: Addressee, status: number): void {
  responder.send(status, [...headers, ...plainHeaders]);
}

import type { HttpHeaders, HttpResponder } from '../bindings/binding.ts';

/** Where a response goes, and the headers it carries beside its own. */
export interface Recipient {
  readonly responder: HttpResponder;
  readonly headers: HttpHeaders;
}

const plainHeaders: HttpHeaders = ['Cache-Control', 'no-store'];
const jsonHeaders: HttpHeaders = ['Content-Type', 'application/json', ...plainHeaders];

/** No headers beside those of the response itself. */
export const noHeaders: HttpHeaders = [];

/** Adds headers to a response. */
export function addHeaders(response: { headers: HttpHeaders }, more: HttpHeaders): void {
  response.headers = response.headers === noHeaders ? more : [...response.headers, ...more];
}

/** Answers with JSON. */
export function sendJson({ responder, headers }: Recipient, status: number, json: string): void {
  responder.send(status, headers === noHeaders ? jsonHeaders : [...headers, ...jsonHeaders], json);
}

/** Answers without a body. */
export function sendEmpty({ responder, headers }: Recipient, status: number): void {
  responder.send(status, [...headers, ...plainHeaders]);
}

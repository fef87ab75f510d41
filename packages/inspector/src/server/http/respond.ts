import type { ServerResponse } from 'node:http';
import type { RequestFailure } from '../../shared/requests.ts';
import { safeStringify } from '../log/safe-stringify.ts';

/** What stands on every answer: nothing of it may be framed, guessed at, or kept by others. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The headers of an answer that holds data: shown to nobody else, kept by nobody. */
export const dataHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** What stands in the page itself and may run or count there, as a policy names it. */
export interface InlineHashes {
  readonly script?: string;
  readonly style?: string;
}

/** The headers of the page and its parts. `frames` are what it may show in frames. */
export function pageHeaders({ script = '', style = '' }: InlineHashes, frames = "'none'"): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${script}`.trimEnd(),
    `style-src 'self' ${style}`.trimEnd(),
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...commonHeaders, 'Content-Security-Policy': policy.join('; ') };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { ...dataHeaders, 'Content-Type': 'application/json; charset=utf-8' });
  response.end(safeStringify(value));
}

/** Answers why something was not done. */
export function sendFailure(response: ServerResponse, status: number, says: string, advice?: string): void {
  const failure: RequestFailure = { error: { says, ...(advice !== undefined && { advice }) } };
  sendJson(response, failure, status);
}

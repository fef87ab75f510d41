import type { ServerResponse } from 'node:http';
import type { RequestFailure } from '../../shared/requests.ts';
import { safeStringify } from '@ccmcp/core/recording';

/** Headers of every response. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Headers of responses with data: not cached, not rendered. */
export const dataHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** CSP hashes of the inline script and style. */
export interface InlineHashes {
  readonly script?: string;
  readonly style?: string;
}

/** Headers of the page and its files. `frames`: allowed frame sources. */
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

/** Sends JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { ...dataHeaders, 'Content-Type': 'application/json; charset=utf-8' });
  response.end(safeStringify(value));
}

/** Sends an error response. */
export function sendFailure(response: ServerResponse, status: number, message: string, advice?: string): void {
  const failure: RequestFailure = { error: { message, ...(advice !== undefined && { advice }) } };
  sendJson(response, failure, status);
}

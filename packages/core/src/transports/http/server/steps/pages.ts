import { type Awaitable, mapAwaitable } from '../../../../jsonrpc/awaitable.ts';
import { reject } from '../answer/reject.ts';
import type { Step } from './step.ts';

/** A request for a page. */
export interface HttpPageRequest {
  readonly query: URLSearchParams;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** The response of a page. */
export interface HttpPageResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A page for browsers beside the endpoint, served without authentication: it must identify visitors itself if it needs
 * to.
 */
export interface HttpPage {
  /** The full path. */
  readonly path: string;
  /** Answers a GET. */
  get(request: HttpPageRequest): Awaitable<HttpPageResponse>;
}

/** Pages hold nothing that others may see, keep or embed. */
const pageHeaders: readonly string[] = [
  'Cache-Control',
  'no-store',
  'Referrer-Policy',
  'no-referrer',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
];

/** Serves pages at their paths, without authentication. Host and origin were checked before. */
export function servePages(pages: readonly HttpPage[]): Step {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return (next) => (context) => {
    const { http, responder } = context;
    const page =
      byPath.get(http.path) ?? (http.mount === '' ? undefined : byPath.get(http.path.slice(http.mount.length)));
    if (page === undefined) return next(context);
    if (http.method !== 'GET') {
      return reject(context, { status: 405, message: 'This is a page: use GET', headers: { Allow: 'GET' } });
    }
    const request = { query: http.query, header: (name: string) => http.header(name) };
    return mapAwaitable(page.get(request), ({ status, headers = {}, body }: HttpPageResponse) =>
      responder.send(status, [...pageHeaders, ...Object.entries(headers).flat()], body),
    );
  };
}

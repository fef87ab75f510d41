import type { PublicDocument, AuthRejection } from '../../../../auth/server/authenticator.ts';
import { type Awaitable, mapAwaitable } from '../../../../jsonrpc/awaitable.ts';
import { shortDigest } from '../../../../runtime/short-digest.ts';
import { reject } from '../answer/reject.ts';
import type { HttpHeaders } from '../bindings/binding.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { Step } from './step.ts';

/** How long the metadata of an endpoint may be cached, in seconds. */
const maxAge = 3600;

const allow = 'GET, HEAD, OPTIONS';
const publicHeaders: HttpHeaders = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', 'ETag'];
const caching: HttpHeaders = ['Cache-Control', `public, max-age=${maxAge}`];

/**
 * Serves public documents, each at its path with or without a slash at the end. Clients learn from them how to connect, and
 * where to get a token, so they come before `guard`.
 */
export function serveDocuments(documents: readonly PublicDocument[]): Step {
  // The first of two documents with the same path wins.
  const byPath = new Map(
    documents.toReversed().flatMap((each) => [each.path, `${each.path}/`].map((path) => [path, each] as const)),
  );
  return (next) => (context) => {
    const document = byPath.get(context.http.path);
    return document === undefined ? next(context) : serveDocument(document, context);
  };
}

function serveDocument(document: PublicDocument, { http, responder }: HttpContext): Awaitable<void> {
  const to = { responder, headers: publicHeaders };
  switch (http.method) {
    case 'OPTIONS': {
      const wanted = http.header('access-control-request-headers')?.replaceAll(/[^\w,\s-]/g, '') ?? '';
      const headers = ['Access-Control-Allow-Methods', allow, 'Access-Control-Allow-Headers', wanted];
      return responder.send(204, [...publicHeaders, ...headers, 'Access-Control-Max-Age', '600']);
    }
    case 'GET':
    case 'HEAD':
      return mapAwaitable(document.read(), (found: { readonly json: string } | AuthRejection) => {
        if (!('json' in found)) return reject(to, found);
        const digest = shortDigest(found.json);
        const etag = digest === undefined ? undefined : `"${digest}"`;
        const headers = [...publicHeaders, ...caching, ...(etag === undefined ? [] : ['ETag', etag])];
        if (etag !== undefined && matchesTag(http.header('if-none-match'), etag)) return responder.send(304, headers);
        const typed = [...headers, 'Content-Type', document.mediaType ?? 'application/json'];
        responder.send(200, typed, http.method === 'HEAD' ? undefined : found.json);
      });
    default:
      return reject(to, { status: 405, message: `Use ${allow}`, headers: { Allow: allow } });
  }
}

/** Whether `If-None-Match` names the tag. */
function matchesTag(given: string | undefined, etag: string): boolean {
  return given !== undefined && given.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()));
}

import type { AuthDocument, AuthRefusal } from '../../../auth/server/authenticator.ts';
import { type Awaitable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { limits } from '../../../limits.ts';
import { refuse } from './answer/refusal.ts';
import type { HttpHeaders, HttpRequest, HttpResponder } from './bindings/binding.ts';

const allow = 'GET, HEAD, OPTIONS';
const forEveryPage: HttpHeaders = ['Access-Control-Allow-Origin', '*', 'X-Content-Type-Options', 'nosniff'];
const documentHeaders: HttpHeaders = [
  ...forEveryPage,
  'Content-Type',
  'application/json',
  'Cache-Control',
  `public, max-age=${limits.oauth.documentAge.value}`,
];

/** The documents of an endpoint by their paths, each also with a slash at its end; undefined where there are none. */
export function documentsAt(
  documents: readonly AuthDocument[] | undefined,
): ReadonlyMap<string, AuthDocument> | undefined {
  if (documents === undefined || documents.length === 0) return undefined;
  // The first of two with one path counts.
  return new Map(documents.toReversed().flatMap((each) => [each.path, `${each.path}/`].map((path) => [path, each])));
}

/** Serves a document that everybody may read, from any page: whoever has no token yet finds out here where to get one. */
export function serveDocument(document: AuthDocument, http: HttpRequest, responder: HttpResponder): Awaitable<void> {
  const to = { responder, headers: forEveryPage };
  switch (http.method) {
    case 'OPTIONS': {
      const wanted = http.header('access-control-request-headers')?.replaceAll(/[^\w,\s-]/g, '') ?? '';
      const headers = ['Access-Control-Allow-Methods', allow, 'Access-Control-Allow-Headers', wanted];
      return responder.send(204, [...forEveryPage, ...headers, 'Access-Control-Max-Age', '600']);
    }
    case 'GET':
    case 'HEAD':
      return whenThere(document.read(), (found: { readonly json: string } | AuthRefusal) => {
        if (!('json' in found)) return refuse(to, found);
        responder.send(200, documentHeaders, http.method === 'HEAD' ? undefined : found.json);
      });
    default:
      return refuse(to, { status: 405, message: `Use ${allow}`, headers: { Allow: allow } });
  }
}

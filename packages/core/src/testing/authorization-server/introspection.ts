import type { Books } from './books.ts';
import { isResourceServer } from './clients.ts';
import type { Answer, Seen } from './http.ts';
import { laidOver, nowInSeconds } from './jwt.ts';

/** Says what a token is worth, to those who may ask. */
export function answerIntrospection(books: Books, seen: Seen): Answer {
  if (!isResourceServer(books, seen)) {
    return { status: 401, headers: { 'WWW-Authenticate': 'Basic' }, json: { error: 'invalid_client' } };
  }
  const { tokens, settings } = books;
  const token = tokens.get(new URLSearchParams(seen.body).get('token') ?? '');
  const claims = token?.claims ?? { scope: token?.scope, aud: token?.resource };
  const isActive = token !== undefined && token.revoked !== true && !(Number(claims.exp) <= nowInSeconds());
  if (!isActive) return { json: { active: false } };
  const bound = (claims.cnf as { jkt?: string } | undefined)?.jkt !== undefined;
  return { json: laidOver({ active: true, token_type: bound ? 'DPoP' : 'Bearer', ...claims }, settings.introspection) };
}

import { AuthError, sanitize } from './auth-error.ts';
import { hasDocument, type Remote } from './remote.ts';

/** Loads the metadata of an authorization server and verifies its issuer. */
export async function findServerDocument(remote: Remote, issuer: string): Promise<Readonly<Record<string, unknown>>> {
  const url = remote.check(issuer, 'authorization server');
  if (url.search !== '' || issuer.includes('#')) {
    throw new AuthError('unsafe_url', `An issuer has neither query nor fragment: ${sanitize(issuer)}`);
  }
  const path = url.pathname.replace(/\/$/, '');
  const places = [
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${url.origin}${path}/.well-known/openid-configuration`]),
  ];
  for (const place of places) {
    const answer = await remote.get(place);
    if (!hasDocument(answer, place)) continue;
    if (answer.body.issuer !== issuer) {
      throw new AuthError(
        'issuer_mismatch',
        `The metadata at ${sanitize(place)} is that of another authorization server`,
      );
    }
    return answer.body;
  }
  throw new AuthError('invalid_answer', `The authorization server ${sanitize(issuer)} has no metadata`);
}

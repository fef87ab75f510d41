import { type Authorize, authorizationCode } from './authorization-code.ts';
import type { ClientIdentity } from '../client-identity.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { isLoopback } from '../loopback-url.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** How users sign in, and who the application says it is. */
export interface OAuthOptions extends TokenAuthOptions {
  /** Takes the user to a URL, and gives what came back. */
  authorize: Authorize;
  /** Where the authorization server sends the user back to: https, this machine, or a scheme of the application's own. */
  redirectUrl: string;
  /**
   * Gives each authorization server a `redirectUrl` of its own, by its issuer. Used where the client registers itself at
   * a server that does not say in its answers who sends them: a code of another one then can't pass for its own.
   */
  redirectFor?: (issuer: string) => Promise<string> | string;
  /** The application's name, as users shall see it. */
  clientName?: string;
  /** A client that the authorization server already knows; `issuer` says which server that is. */
  client?: ClientIdentity & { issuer?: string };
  /** The https URL of the application's client id metadata document. */
  clientMetadataUrl?: string;
}

/**
 * Gets tokens on behalf of a user, for one server. Everything else follows from what that server answers: where its
 * authorization server is, how the client becomes known to it, which scopes it wants.
 *
 * A program on the user's machine: `oauth({ ...loopbackAuthorize({ open }), clientName: 'Example' })`.
 *
 * A test whose authorization server asks nobody:
 *
 *     oauth({
 *       redirectUrl: 'http://localhost:3000/callback',
 *       clientMetadataUrl: 'https://app.example/client.json',
 *       authorize: async (url) => (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '',
 *     })
 */
export function oauth({
  authorize,
  redirectUrl,
  redirectFor,
  clientName,
  client,
  clientMetadataUrl,
  ...rest
}: OAuthOptions): HttpAuth {
  assertRedirectUrl(redirectUrl);
  if (clientMetadataUrl !== undefined) assertMetadataUrl(clientMetadataUrl);
  const grant = authorizationCode({
    authorize,
    redirectUrl,
    ...(redirectFor === undefined ? {} : { redirectFor }),
    ...(clientName === undefined ? {} : { clientName }),
    ...(client === undefined ? {} : { client }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
  });
  return tokenAuth({ ...grant, issuer: client?.issuer }, rest);
}

function assertRedirectUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol === 'http:' && !isLoopback(url)) || text.includes('#')) {
    throw new TypeError('redirectUrl must be an https URL, one of this machine, or have a scheme of its own');
  }
}

function assertMetadataUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.pathname === '/' || text.includes('#')) {
    throw new TypeError('clientMetadataUrl must be an https URL with a path');
  }
}

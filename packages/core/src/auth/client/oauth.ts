import { type Authorize, authorizationCode } from './authorization-code.ts';
import type { ClientIdentity } from '../client-identity.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { isLoopback } from '../address-kind.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** Options of `oauth`. */
export interface OAuthOptions extends TokenAuthOptions {
  /** Opens a URL for the user and returns the redirect. */
  authorize: Authorize;
  /** The redirect URL: https, loopback, or a custom scheme of the application. */
  redirectUrl: string;
  /** Returns the redirect URL when a sign-in begins, instead of `redirectUrl`: for a port that is found then. */
  resolveRedirectUrl?: () => Promise<string> | string;
  /**
   * Returns a separate redirect URL per issuer. Used to prevent mix-up attacks when the client registers at a server
   * that does not send `iss` in its responses.
   */
  redirectFor?: (issuer: string) => Promise<string> | string;
  /** The name of the application, for users. */
  clientName?: string;
  /** A client that the authorization server already knows; `issuer` says which server that is. */
  client?: ClientIdentity & { issuer?: string };
  /** The https URL of the application's client id metadata document. */
  clientMetadataUrl?: string;
}

/**
 * Obtains tokens on behalf of a user, for one server. Discovers the rest: the authorization server, how the client
 * registers, and the scopes. A program on the user's machine: `oauth({ ...loopbackAuthorize({ open }), clientName:
 * 'Example' })`. A test whose authorization server asks nobody: oauth({ redirectUrl: 'http://localhost:3000/callback',
 * clientMetadataUrl: 'https://app.example/client.json', authorize: async (url) => (await fetch(url, { redirect:
 * 'manual' })).headers.get('location') ?? '', })
 */
export function oauth({
  authorize,
  redirectUrl,
  resolveRedirectUrl,
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
    ...(resolveRedirectUrl === undefined ? {} : { resolveRedirectUrl }),
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

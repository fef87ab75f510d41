import { type Authorize, authorizationCode, type ClientDescription } from './authorization-code.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { isLoopback } from '../address-kind.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** Options of `oauth`. */
export interface OAuthOptions extends TokenAuthOptions, ClientDescription {
  /** Opens a URL for the user and returns the redirect. */
  authorize: Authorize;
}

/**
 * Obtains tokens on behalf of a user, for one server. Discovers the rest: the authorization server, how the client
 * registers, and the scopes.
 *
 * @example oauth({ ...loopbackAuthorize({ open }), clientName: 'Example' });
 */
export function oauth(options: OAuthOptions): HttpAuth {
  const { redirectUrl, client, clientMetadataUrl } = options;
  assertRedirectUrl(redirectUrl);
  if (clientMetadataUrl !== undefined) assertMetadataUrl(clientMetadataUrl);
  return tokenAuth({ ...authorizationCode(options), issuer: client?.issuer }, options);
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

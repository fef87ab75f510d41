import type { ClientIdentity } from '../client-identity.ts';
import type { DpopKey } from './dpop.ts';
import type { Remote } from '../remote.ts';
import type { AuthorizationServer } from './server-metadata.ts';
import type { Tokens } from './token-endpoint.ts';
import type { StoredGrant } from './token-store.ts';

/** All that is known when a token must be had. */
export interface GrantRequest {
  remote: Remote;
  server: AuthorizationServer;
  resource: string;
  /** Empty: the authorization server decides. */
  scopes: readonly string[];
  dpop: DpopKey | undefined;
  /** What is kept from earlier. */
  stored: StoredGrant;
  /** Keeps who the authorization server made us. */
  keepClient(client: NonNullable<StoredGrant['client']>): Promise<void>;
}

/** One way to a token. */
export interface Grant {
  /** Whether the client was made known to one authorization server, and must not show its credentials to another. */
  readonly bound: boolean;
  /** That one, if it is known which; else it is the first that is met. */
  readonly issuer?: string | undefined;
  obtain(request: GrantRequest): Promise<Tokens>;
  /** Who may use a refresh token, if anybody; without it, a token that ran out is obtained anew. */
  refreshedBy?(server: AuthorizationServer, stored: StoredGrant): ClientIdentity | undefined;
}

/** The parameters that every request for a token has. */
export function grantForm({ resource, scopes }: Pick<GrantRequest, 'resource' | 'scopes'>): Record<string, string> {
  return { resource, ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }) };
}

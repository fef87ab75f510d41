import type { ClientIdentity } from '../client-identity.ts';
import type { DpopKey } from './dpop.ts';
import type { Remote } from '../remote.ts';
import type { AuthorizationServer } from './server-metadata.ts';
import type { Tokens } from './token-endpoint.ts';
import type { StoredGrant } from './token-store.ts';

/** The context of a token request. */
export interface GrantRequest {
  remote: Remote;
  server: AuthorizationServer;
  resource: string;
  /** Empty: the authorization server decides. */
  scopes: readonly string[];
  dpop: DpopKey | undefined;
  /** The stored grant. */
  stored: StoredGrant;
  /** Stores the registered client. */
  keepClient(client: NonNullable<StoredGrant['client']>): Promise<void>;
}

/** An OAuth grant. */
export interface Grant {
  /** Whether the client belongs to one authorization server, and must not send its credentials to another. */
  readonly bound: boolean;
  /** That server, if known; else the first one that is used. */
  readonly issuer?: string | undefined;
  obtain(request: GrantRequest): Promise<Tokens>;
  /** The client that may use a refresh token; without it, an expired token is obtained again. */
  refreshedBy?(server: AuthorizationServer, stored: StoredGrant): ClientIdentity | undefined;
}

/** The form fields of every token request. */
export function grantForm({ resource, scopes }: Pick<GrantRequest, 'resource' | 'scopes'>): Record<string, string> {
  return { resource, ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }) };
}

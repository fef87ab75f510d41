import { grantForm } from './grant.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { assertCurrent } from './assert-current.ts';
import { requestTokens } from './token-endpoint.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** The purpose of an assertion. */
export interface AssertionRequest {
  /** The authorization server. */
  readonly audience: string;
  readonly resource: string;
  /** Space-separated; undefined if the authorization server decides. */
  readonly scope: string | undefined;
}

/** Options of `workloadIdentity`. */
export interface WorkloadIdentityOptions extends TokenAuthOptions {
  /** Returns a JWT of the platform for the authorization server (`audience`). */
  assertion: (wanted: AssertionRequest) => Promise<string> | string;
  clientId: string;
  clientSecret?: string;
  /** The authorization server that trusts the platform. Default: the first one the server lists. */
  issuer?: string;
}

/** Obtains tokens with the workload identity of the platform, by the JWT bearer grant. Tried once. */
export function workloadIdentity(options: WorkloadIdentityOptions): HttpAuth {
  const { assertion, clientId, clientSecret, issuer, ...rest } = options;
  return tokenAuth(
    {
      bound: true,
      issuer,
      async obtain({ remote, server, dpop, ...request }) {
        const wanted = grantForm(request);
        const audience = server.issuer;
        const shown = await assertion({ audience, resource: request.resource, scope: wanted.scope });
        assertCurrent(shown, 'assertion');
        const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: shown, ...wanted };
        return requestTokens({ remote, server, client: { id: clientId, secret: clientSecret }, form, dpop });
      },
    },
    rest,
  );
}

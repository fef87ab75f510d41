import { grantForm } from './grant.ts';
import type { HttpAuth } from '../../client/http-auth.ts';
import { assertCurrent } from './assert-current.ts';
import { requestTokens } from './token-endpoint.ts';
import { type TokenAuthOptions, tokenAuth } from './token-auth.ts';

/** What an assertion shall be good for. */
export interface AssertionRequest {
  /** The authorization server. */
  readonly audience: string;
  readonly resource: string;
  /** With blanks between them; undefined where the authorization server decides. */
  readonly scope: string | undefined;
}

/** Who the program is, and where its platform's token comes from. */
export interface WorkloadIdentityOptions extends TokenAuthOptions {
  /** Gives a JWT of the platform that the program runs on, made out to the authorization server (`audience`). */
  assertion: (wanted: AssertionRequest) => Promise<string> | string;
  clientId: string;
  clientSecret?: string;
  /** The authorization server that trusts the platform. Without it, the first one that the server names. */
  issuer?: string;
}

/** Gets tokens for a program by the identity that its platform gives it: the JWT bearer grant, tried once. */
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

import { describe, expect, it } from 'vitest';
import { enterpriseManaged } from './workload-identity.ts';
import { listen } from './fixtures/listen.ts';
import type { RecordedRequest } from '../../testing/authorization-server/http.ts';
import { send } from './fixtures/protected-server.ts';
import { startTrustingServer } from './fixtures/trusting-server.ts';

describe('an enterprise', () => {
  /** An identity provider that exchanges ID tokens. */
  async function startProvider(answer: Record<string, unknown>) {
    const seen: RecordedRequest[] = [];
    const origin = await listen((request) => {
      seen.push(request);
      return { json: answer };
    });
    const identityProvider = {
      issuer: origin,
      tokenEndpoint: `${origin}/token`,
      client: { id: 'at-provider' },
      idToken: async () => 'id-token',
    };
    return { seen, identityProvider };
  }

  it('signs users in through its identity provider', async () => {
    const { by, server } = await startTrustingServer('permission', {
      metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    });
    const { seen, identityProvider } = await startProvider({
      access_token: 'permission',
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
    });
    const auth = enterpriseManaged({ identityProvider, clientId: 'app', clientSecret: 'secret' });
    expect(await send(auth, server.url)).toBe(200);
    expect(seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        subject_token: 'id-token',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        audience: by.issuer,
        resource: server.url,
        scope: 'a b',
        client_id: 'at-provider',
      },
    ]);
    const [request] = by.requests('/token');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('app:secret').toString('base64')}`);
  });

  it('rejects an access token in place of an ID-JAG', async () => {
    const { by, server } = await startTrustingServer('permission');
    const { identityProvider } = await startProvider({ access_token: 'permission', token_type: 'Bearer' });
    const auth = enterpriseManaged({ identityProvider, clientId: 'app', clientSecret: 'secret' });
    await expect(send(auth, server.url)).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(by.forms()).toEqual([]);
  });
});

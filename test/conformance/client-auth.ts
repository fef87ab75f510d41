import { clientCredentials, enterpriseManaged, type HttpAuth, oauth, workloadIdentity } from '@ccmcp/core/client';

/** The credentials for a scenario of the suite. */
export function authFor(scenario: string, context: Record<string, unknown>): HttpAuth {
  const text = (name: string): string => String(context[name]);
  const clientId = text('client_id');
  switch (scenario) {
    case 'auth/client-credentials-jwt':
      return clientCredentials({ clientId, privateKey: { pem: text('private_key_pem'), algorithm: 'ES256' } });
    case 'auth/client-credentials-basic':
      return clientCredentials({ clientId, clientSecret: text('client_secret') });
    case 'auth/enterprise-managed-authorization':
    case 'auth/cross-app-access-complete-flow':
      return enterpriseManaged({
        clientId,
        clientSecret: text('client_secret'),
        identityProvider: {
          issuer: text('idp_issuer'),
          tokenEndpoint: text('idp_token_endpoint'),
          client: { id: text('idp_client_id') },
          idToken: () => text('idp_id_token'),
        },
      });
    case 'auth/wif-jwt-bearer':
      return workloadIdentity({ clientId, assertion: () => text('valid_jwt') });
    default:
      return oauth({
        redirectUrl: 'http://localhost:3000/callback',
        clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
        authorize: async (url) => (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '',
        ...(context.client_id !== undefined && {
          client: {
            id: clientId,
            secret: text('client_secret'),
            ...(context.issuer !== undefined && { issuer: text('issuer') }),
          },
        }),
      });
  }
}

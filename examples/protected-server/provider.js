// An authorization server for trying things out: oidc-provider with its own pages, where any name and any password sign in.
// In production this is Keycloak, Auth0, Entra or another one: see "Providers" in docs/auth.md.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const port = Number(process.env.PROVIDER_PORT ?? 4000);
const issuer = `http://127.0.0.1:${port}`;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'key-1' };

const provider = new Provider(issuer, {
  jwks: { keys: [key] },
  cookies: { keys: [crypto.randomUUID()] },
  // The scopes that can be granted. "offline_access" lets clients renew their tokens.
  scopes: ['openid', 'offline_access', 'notes:read', 'notes:write'],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  // Clients register with the scopes they need first. If these were a limit, clients could not request more later.
  extraClientMetadata: {
    properties: ['scope'],
    validator: (_context, _name, _value, client) => {
      delete client.scope;
    },
  },
  features: {
    // Clients register themselves.
    registration: { enabled: true },
    // Tokens are issued for one server, as JWTs that it can verify.
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'notes:read notes:write',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});

const answer = provider.callback();
const http = createServer((request, response) => void answer(request, response));
http.listen(port, '127.0.0.1', () => process.stderr.write(`issuer ${issuer}\n`));

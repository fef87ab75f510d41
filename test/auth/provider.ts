import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** Options that change the usual provider. */
export interface ProviderOptions {
  /** `opaque`: only the provider can read its access tokens. */
  tokens?: 'jwt' | 'opaque';
  /** Lifetime of access tokens, in seconds. */
  lifetime?: number;
}

/** Starts a real authorization server (oidc-provider) until the test ends; returns its issuer. */
export async function startProvider({ tokens = 'jwt', lifetime = 3600 }: ProviderOptions = {}): Promise<string> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k1' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'resource-server',
        client_secret: 'a secret of the resource server',
        redirect_uris: [],
        response_types: [],
        grant_types: [],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key for cookies'] },
    scopes: ['openid', 'offline_access', 'read', 'write'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'read write',
          audience: resource,
          accessTokenTTL: lifetime,
          ...(tokens === 'jwt'
            ? { accessTokenFormat: 'jwt' as const, jwt: { sign: { alg: 'ES256' as const } } }
            : { accessTokenFormat: 'opaque' as const }),
        }),
      },
    },
  });
  const answer = provider.callback();
  http.on('request', (request, response) => void answer(request, response));
  onTestFinished(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return issuer;
}

/** Goes through the pages of the provider like a user with a browser; returns the final URL. */
export async function browse(start: URL | string, user = 'ada'): Promise<string> {
  const jar = new Map<string, string>();
  const origin = new URL(start).origin;
  let next: { url: URL; form?: URLSearchParams } = { url: new URL(start) };
  for (let pages = 0; pages < 20; pages += 1) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form && { method: 'POST', body: next.form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      next = { url: new URL(location, next.url) };
      if (next.url.origin !== origin) return next.url.href;
      continue;
    }
    const page = await response.text();
    const [, action] = /<form[^>]* action="([^"]+)" method="post"/.exec(page) ?? [];
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (action === undefined || prompt === undefined)
      throw new Error(`No form: ${response.status} ${page.slice(0, 1500)}`);
    const answer = prompt === 'login' ? { prompt, login: user, password: 'any' } : { prompt };
    next = { url: new URL(action, next.url), form: new URLSearchParams(answer) };
  }
  throw new Error('The pages have no end');
}

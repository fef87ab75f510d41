import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';
import { user } from './fixtures/user.ts';
import { oauth } from './oauth.ts';

describe('an authorization request', () => {
  it('is for a code, with PKCE, a state and the resource (C-A-03, C-A-04)', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(by.questions()).toEqual([
      {
        response_type: 'code',
        client_id: 'client-1',
        redirect_uri: user.redirectUrl,
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
        resource: server.url,
      },
    ]);
    expect(by.forms()).toEqual([
      {
        grant_type: 'authorization_code',
        code: expect.any(String),
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        redirect_uri: user.redirectUrl,
        client_id: 'client-1',
        resource: server.url,
      },
    ]);
  });

  it('keeps the existing query of the endpoint', async () => {
    const by = await startAuthorizationServer();
    by.settings.metadata = { authorization_endpoint: `${by.issuer}/authorize?tenant=1` };
    const server = await startProtectedServer({ by });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(by.questions()).toMatchObject([{ tenant: '1', response_type: 'code' }]);
  });

  it('never repeats a state or a challenge', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    await send(oauth(user), server.url);
    await send(oauth(user), server.url);
    const questions = by.questions();
    expect(new Set(questions.flatMap(({ state, code_challenge }) => [state, code_challenge])).size).toBe(4);
  });

  it.each([[undefined], [['plain']], [[]]])(
    'is not made where the server lists %j for PKCE (C-A-04)',
    async (methods) => {
      const by = await startAuthorizationServer({ metadata: { code_challenge_methods_supported: methods } });
      const server = await startProtectedServer({ by });
      await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'pkce_unsupported' });
      expect(by.seen).toHaveLength(1);
    },
  );

  it('asks for consent along with offline_access', async () => {
    const by = await startAuthorizationServer({ metadata: { scopes_supported: ['a', 'offline_access'] } });
    const server = await startProtectedServer({ by, metadata: { scopes_supported: ['a'] } });
    expect(await send(oauth(user), server.url)).toBe(200);
    expect(by.questions()).toMatchObject([{ scope: 'a offline_access', prompt: 'consent' }]);
  });
});

describe('an authorization response', () => {
  it.each([
    [true, undefined, 200],
    [undefined, undefined, 200],
    [false, null, 200],
    [undefined, null, 200],
  ])('is accepted if the server declares iss: %j, and sends %j (C-A-06)', async (says, iss, status) => {
    const by = await startAuthorizationServer({
      metadata: { authorization_response_iss_parameter_supported: says },
      ...(iss === undefined ? {} : { iss }),
    });
    const server = await startProtectedServer({ by });
    expect(await send(oauth(user), server.url)).toBe(status);
  });

  it.each([
    [true, () => null],
    [true, () => 'https://evil.example'],
    [undefined, () => 'https://evil.example'],
    [undefined, (issuer: string) => `${issuer}/`],
    [true, (issuer: string) => issuer.toUpperCase()],
  ])('is rejected if the server declares %j, and sends another iss or none (C-A-06)', async (says, iss) => {
    const by = await startAuthorizationServer({ metadata: { authorization_response_iss_parameter_supported: says } });
    by.settings.iss = iss(by.issuer);
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({ code: 'issuer_mismatch' });
    expect(by.requests('/token')).toEqual([]);
  });

  it('uses a redirect URI per server if the server sends no issuer', async () => {
    const redirectFor = (issuer: string): string => `${user.redirectUrl}/${new URL(issuer).port}?of=${issuer}`;
    const silent = { metadata: { authorization_response_iss_parameter_supported: undefined }, iss: null };
    const places: string[] = [];
    for (const settings of [silent, silent, {}]) {
      const by = await startAuthorizationServer(settings);
      const server = await startProtectedServer({ by });
      expect(await send(oauth({ ...user, redirectFor }), server.url)).toBe(200);
      const [registered] = by.requests('/register').map(({ body }) => JSON.parse(body).redirect_uris as string[]);
      const asked = [...by.questions(), ...by.forms()].map(({ redirect_uri }) => redirect_uri);
      expect(registered).toHaveLength(1);
      expect(asked).toEqual([registered?.[0], registered?.[0]]);
      places.push(registered?.[0] === user.redirectUrl ? 'common' : 'own');
    }
    expect(places).toEqual(['own', 'own', 'common']);
  });

  it('for the redirect URI of another server is rejected, and its code is not sent', async () => {
    const redirectFor = (issuer: string): string => `${user.redirectUrl}/${new URL(issuer).port}`;
    const silent = { metadata: { authorization_response_iss_parameter_supported: undefined }, iss: null };
    const honest = await startAuthorizationServer(silent);
    const evil = await startAuthorizationServer(silent);
    const server = await startProtectedServer({ by: evil });
    // The malicious server redirects the user to the honest one, whose code arrives at the redirect URL of the
    // malicious one.
    const authorize = async (url: URL): Promise<string> => {
      const further = new URL(`${honest.issuer}/authorize?${url.searchParams.toString()}`);
      further.searchParams.set('redirect_uri', redirectFor(honest.issuer));
      return (await fetch(further, { redirect: 'manual' })).headers.get('location') ?? '';
    };
    await expect(send(oauth({ ...user, authorize, redirectFor }), server.url)).rejects.toMatchObject({
      code: 'issuer_mismatch',
    });
    expect(honest.questions()).toHaveLength(1);
    expect(evil.requests('/token')).toEqual([]);
  });

  it('with another issuer does not show its error (C-A-06)', async () => {
    const denyUser = { error: 'call_0800', error_description: 'Call 0800' };
    const by = await startAuthorizationServer({ denyUser, iss: 'https://evil.example' });
    const server = await startProtectedServer({ by });
    const error: unknown = await send(oauth(user), server.url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'issuer_mismatch', oauthError: undefined });
    expect(String(error)).not.toContain('0800');
  });

  it('with an error reports the reason', async () => {
    const denyUser = { error: 'access_denied', error_description: 'The user\nsaid no' };
    const by = await startAuthorizationServer({ denyUser });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({
      code: 'refused',
      oauthError: 'access_denied',
      message: 'The authorization server rejected the request: access_denied: The user?said no',
    });
  });

  it.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'other')],
    ['no state', (url: URL) => url.searchParams.delete('state')],
  ])('with %s is discarded', async (_, change) => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const authorize = async (question: URL) => {
      const url = new URL(await user.authorize(question));
      change(url);
      return url;
    };
    await expect(send(oauth({ ...user, authorize }), server.url)).rejects.toMatchObject({ code: 'state_mismatch' });
    expect(by.requests('/token')).toEqual([]);
  });

  it('may be given in parts', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const authorize = async (question: URL) => {
      const { searchParams } = new URL(await user.authorize(question));
      return { code: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? undefined };
    };
    expect(await send(oauth({ ...user, authorize }), server.url)).toBe(200);
  });

  it('in parts is checked as well', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const give = (answer: { iss?: string; state?: string }) =>
      send(oauth({ ...user, authorize: async () => ({ code: 'a', ...answer }) }), server.url);
    await expect(give({ iss: by.issuer, state: 'other' })).rejects.toMatchObject({ code: 'state_mismatch' });
    await expect(give({ iss: 'https://evil.example' })).rejects.toMatchObject({ code: 'issuer_mismatch' });
    await expect(give({})).rejects.toMatchObject({ code: 'issuer_mismatch' });
  });
});

describe('a client is identified', () => {
  it('by its configured id first (C-A-05)', async () => {
    const by = await startAuthorizationServer({
      metadata: {
        client_id_metadata_document_supported: true,
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      },
      clients: [{ id: 'a:b', secret: 'ü %', method: 'client_secret_basic' }],
    });
    const server = await startProtectedServer({ by });
    const client = { id: 'a:b', secret: 'ü %' };
    const clientMetadataUrl = 'https://app.example/client.json';
    expect(await send(oauth({ ...user, client, clientMetadataUrl }), server.url)).toBe(200);
    expect(by.requests('/register')).toEqual([]);
    expect(by.questions()).toMatchObject([{ client_id: 'a:b' }]);
  });

  it('by its metadata document, if the server supports that (C-A-05)', async () => {
    const by = await startAuthorizationServer({ metadata: { client_id_metadata_document_supported: true } });
    const server = await startProtectedServer({ by });
    const clientMetadataUrl = 'https://app.example/client.json';
    expect(await send(oauth({ ...user, clientMetadataUrl }), server.url)).toBe(200);
    expect(by.requests('/register')).toEqual([]);
    expect(by.questions()).toMatchObject([{ client_id: clientMetadataUrl }]);
  });

  it.each([
    ['http://localhost:3000/callback', 'native'],
    ['http://127.0.0.1:3000/callback', 'native'],
    ['com.example.app:/callback', 'native'],
    ['https://app.example/callback', 'web'],
  ])('by registration; with %s as a %s application (C-A-05)', async (redirectUrl, type) => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const clientMetadataUrl = 'https://app.example/client.json';
    const auth = oauth({ ...user, redirectUrl, clientName: 'Example', clientMetadataUrl });
    expect(await send(auth, server.url)).toBe(200);
    expect(by.requests('/register').map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        client_name: 'Example',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: type,
      },
    ]);
  });

  it.each([['none'], ['client_secret_basic'], ['client_secret_post']])(
    'and shows it at the token endpoint by %s, if that is what the server takes',
    async (method) => {
      const by = await startAuthorizationServer({ metadata: { token_endpoint_auth_methods_supported: [method] } });
      const server = await startProtectedServer({ by });
      expect(await send(oauth(user), server.url)).toBe(200);
    },
  );

  it('without its secret if the server accepts none', async () => {
    const by = await startAuthorizationServer({ clients: [{ id: 'known', method: 'none' }] });
    const server = await startProtectedServer({ by });
    expect(await send(oauth({ ...user, client: { id: 'known', secret: 'secret' } }), server.url)).toBe(200);
  });

  it('with the authentication method that the server chooses', async () => {
    const by = await startAuthorizationServer({
      metadata: { token_endpoint_auth_methods_supported: undefined },
      clients: [{ id: 'decided', secret: 'secret', method: 'client_secret_basic' }],
      registration: { json: { client_id: 'decided', client_secret: 'secret' } },
    });
    const server = await startProtectedServer({ by });
    expect(await send(oauth(user), server.url)).toBe(200);
    by.settings.clients = [{ id: 'decided', secret: 'secret', method: 'client_secret_post' }];
    const json = { client_id: 'decided', client_secret: 'secret', token_endpoint_auth_method: 'client_secret_post' };
    by.settings.registration = { json };
    expect(await send(oauth(user), server.url)).toBe(200);
  });

  it('by no other means if the server has no registration (C-A-05)', async () => {
    const by = await startAuthorizationServer({ metadata: { registration_endpoint: undefined } });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({
      code: 'client_unknown',
      message: expect.stringContaining('client option'),
    });
  });

  it('or gets an error with the reason', async () => {
    const json = { error: 'invalid_redirect_uri', error_description: 'No loopback' };
    const by = await startAuthorizationServer({ registration: { status: 400, json } });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toMatchObject({
      oauthError: 'invalid_redirect_uri',
      message: 'The authorization server did not register the client: invalid_redirect_uri: No loopback',
    });
  });
});

describe('oauth', () => {
  it.each(['http://app.example/callback', 'callback', 'https://app.example/#a'])(
    'does not let users come back to %s (C-A-09)',
    (redirectUrl) => {
      expect(() => oauth({ ...user, redirectUrl })).toThrow(TypeError);
    },
  );

  it.each(['http://app.example/client.json', 'https://app.example/', 'client.json'])(
    'does not call itself %s',
    (clientMetadataUrl) => {
      expect(() => oauth({ ...user, clientMetadataUrl })).toThrow(TypeError);
    },
  );
});

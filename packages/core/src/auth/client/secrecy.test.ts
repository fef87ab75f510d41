import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { clientCredentials } from './client-credentials.ts';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';
import { user } from './fixtures/user.ts';
import { oauth } from './oauth.ts';
import { memoryTokenStore } from './token-store.ts';

const everything = (value: unknown): string =>
  `${String(value)} ${inspect(value, { depth: 10, showHidden: true })} ${JSON.stringify(value)}`;

describe('secrets do not appear', () => {
  it('in objects that hold tokens', async () => {
    const by = await startAuthorizationServer({ refreshTokens: true });
    const server = await startProtectedServer({ by });
    const store = memoryTokenStore();
    const auth = oauth({ ...user, store });
    await send(auth, server.url);
    expect(everything(auth) + everything(store)).not.toMatch(/token-|refresh-/);
  });

  it('in objects that hold a secret', () => {
    expect(everything(clientCredentials({ clientId: 'a', clientSecret: 'hidden' }))).not.toContain('hidden');
  });

  it('in errors, even if the authorization server repeats them', async () => {
    const by = await startAuthorizationServer({
      onToken: (form) => ({
        status: 400,
        json: { error: 'invalid_grant', error_description: `${form.get('code')} ${form.get('code_verifier')}` },
      }),
    });
    const server = await startProtectedServer({ by });
    const error: unknown = await send(oauth(user), server.url).catch((thrown: unknown) => thrown);
    const [form] = by.forms();
    expect(error).toMatchObject({ oauthError: 'invalid_grant' });
    expect(form?.code).toBeTruthy();
    for (const name of ['code', 'code_verifier']) expect(everything(error)).not.toContain(form?.[name]);
  });

  it('in errors about a secret that was sent in a header', async () => {
    const json = { error: 'invalid_client', error_description: 'hidden-secret is wrong' };
    const by = await startAuthorizationServer({
      metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
      onToken: () => ({ status: 401, json }),
    });
    const server = await startProtectedServer({ by });
    const auth = clientCredentials({ clientId: 'a', clientSecret: 'hidden-secret' });
    const error: unknown = await send(auth, server.url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ oauthError: 'invalid_client' });
    expect(everything(error)).not.toContain('hidden-secret');
  });

  it('but harmless error texts do', async () => {
    const json = { error: 'invalid_grant', error_description: 'The code is 11 minutes old' };
    const by = await startAuthorizationServer({ onToken: () => ({ status: 400, json }) });
    const server = await startProtectedServer({ by });
    await expect(send(oauth(user), server.url)).rejects.toThrow('invalid_grant: The code is 11 minutes old');
  });
});

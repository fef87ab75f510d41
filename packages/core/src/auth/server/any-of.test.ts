import { describe, expect, it } from 'vitest';
import { post, statelessClient, textOf } from '../../transports/http/server/fixtures/client.ts';
import { rawConnection } from '../../transports/http/server/fixtures/raw.ts';
import { start } from '../../transports/http/server/fixtures/start.ts';
import { anyOf } from './any-of.ts';
import { apiKey } from './api-key.ts';
import type { Authenticator } from './authenticator.ts';
import { startIssuer } from './oauth/fixtures/issuer.ts';
import { bearer, metadataUrl, resource } from './oauth/fixtures/protected.ts';
import { oauth } from './oauth/oauth.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('several authenticators', () => {
  it('accept a caller of any of them; invalid credentials are rejected, whatever else is sent (AR-93)', async () => {
    const issuer = await startIssuer();
    const auth = [oauth({ issuer: issuer.issuer }), apiKey({ keys: ['key'] })];
    const { url } = await start({ resource, auth });
    const token = await issuer.token(resource);
    const status = async (headers: Record<string, string>): Promise<number> => (await post(url, ping, headers)).status;
    expect(await status(bearer(token))).toBe(200);
    expect(await status({ 'X-Api-Key': 'key' })).toBe(200);
    expect(await status({ 'X-Api-Key': 'key', ...bearer(token) })).toBe(200);
    expect(await status({ 'X-Api-Key': 'key', ...bearer('wrong') })).toBe(401);
    expect(await status({ 'X-Api-Key': 'key', Authorization: 'Bearer' })).toBe(400);
    expect(await status({ 'X-Api-Key': 'wrong' })).toBe(401);
    const whoami = (headers: Record<string, string>): Promise<unknown> =>
      statelessClient(url, { headers }).call('whoami').then(textOf);
    expect(await whoami(bearer(token))).toBe(`${issuer.issuer}#sub=anna`);
    expect(await whoami({ 'X-Api-Key': 'key' })).toMatch(/^key-/);
  });

  it('each add a challenge, in separate headers (AR-11)', async () => {
    const issuer = await startIssuer();
    const { url } = await start({ resource, auth: [oauth({ issuer: issuer.issuer }), apiKey({ keys: ['key'] })] });
    const connection = await rawConnection(url);
    connection.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    const lines = (await connection.closed()).split('\r\n').filter((line) => line.startsWith('WWW-Authenticate'));
    expect(lines).toEqual([
      `WWW-Authenticate: Bearer resource_metadata="${metadataUrl}"`,
      'WWW-Authenticate: ApiKey header="X-Api-Key"',
    ]);
  });

  it('are tried in order, sync or async, and one may accept everyone', async () => {
    const asked: string[] = [];
    const way = (name: string, answer: ReturnType<Authenticator['authenticate']>): Authenticator => ({
      authenticate: () => {
        asked.push(name);
        return answer;
      },
    });
    const request = { method: 'POST', path: '/mcp', address: undefined, header: () => undefined };
    const ann = { principal: 'ann' };
    const auth = anyOf(
      way('one', undefined),
      way('two', Promise.resolve(undefined)),
      way('three', ann),
      way('four', ann),
    );
    expect(await auth.authenticate(request)).toBe(ann);
    expect(asked).toEqual(['one', 'two', 'three']);
    const nobody = anyOf(way('one', undefined), { ...way('two', undefined), anonymous: true });
    expect(nobody.anonymous).toBe(true);
    expect(await nobody.authenticate(request)).toBe(undefined);
    expect(() => anyOf()).toThrow('anyOf needs at least one authenticator');
  });

  it('report missing scopes by the authenticator that accepted the caller', async () => {
    const rejection = (message: string) => ({ status: 403, message });
    const way = (principal: string): Authenticator => ({
      authenticate: ({ path }) => (path === principal ? { principal } : undefined),
      challenge: () => rejection(principal),
    });
    const auth = anyOf(way('one'), way('two'));
    const request = { method: 'POST', path: 'two', address: undefined, header: () => undefined };
    const caller = await auth.authenticate(request);
    if (caller === undefined || !('principal' in caller)) throw new Error('not let in');
    expect(auth.challenge?.(request, { needed: ['x'], caller })).toEqual(rejection('two'));
  });
});

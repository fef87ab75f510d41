import { createServer, tool } from '@ccmcp/core';
import { connect, httpTransport, oauth as signIn } from '@ccmcp/core/client';
import { oauth, type OAuthOptions, serveHttp } from '@ccmcp/core/http';
import { expectText } from '@ccmcp/core/testing';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { browse, type ProviderOptions, startProvider } from './provider.ts';
import { finishAuth, redirectUrl, sdkUser } from './sdk-user.ts';

/** A protected server whose tokens are issued by a real provider. */
async function start(options: Partial<OAuthOptions> = {}, provider: ProviderOptions = {}) {
  const issuer = await startProvider(provider);
  const server = createServer({
    name: 'protected',
    version: '1.0.0',
    tools: [
      tool('whoami', {}, (_, context) => JSON.stringify(context.auth)),
      tool('write', { scopes: ['write'] }, () => 'Written'),
    ],
  });
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const service = await serveHttp(server, { port, resource, auth: oauth({ issuer, scopes: ['read'], ...options }) });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return { issuer, url: resource };
}

/** A user of our client who signs in when redirected. */
function ourUser() {
  const visits: string[] = [];
  const auth = signIn({
    redirectUrl,
    clientName: 'Interop',
    authorize: (url) => {
      visits.push(url.searchParams.get('scope') ?? '');
      return browse(url);
    },
  });
  return { auth, visits };
}

describe('with tokens of a real provider', () => {
  it.each(['handshake', 'stateless'] as const)(
    'our client signs in, calls, and steps up, in the %s era',
    async (era) => {
      const { issuer, url } = await start();
      const { auth, visits } = ourUser();
      const client = await connect(httpTransport(url, { auth }), { era });
      onTestFinished(() => client.close());
      expect(JSON.parse(expectText(await client.callTool('whoami')))).toMatchObject({
        issuer,
        subject: 'ada',
        scopes: expect.arrayContaining(['read']),
      });
      expect(visits).toHaveLength(1);
      expect(expectText(await client.callTool('write'))).toBe('Written');
      expect(visits.map((scope) => scope.includes('write'))).toEqual([false, true]);
    },
  );

  it('our client refreshes a token that is about to expire, and its session continues', async () => {
    const { url } = await start({}, { lifetime: 5 });
    const { auth, visits } = ourUser();
    const client = await connect(httpTransport(url, { auth }), { era: 'handshake' });
    onTestFinished(() => client.close());
    const first = (await auth.headers({ url })).Authorization;
    expect(JSON.parse(expectText(await client.callTool('whoami')))).toMatchObject({ subject: 'ada' });
    expect([visits.length, (await auth.headers({ url })).Authorization === first]).toEqual([1, false]);
  });

  it.each([
    ['1, by handshake', Client1, Http1, {}],
    ['2, by handshake', Client2, Http2, {}],
    ['2, stateless', Client2, Http2, { versionNegotiation: { mode: 'auto' } }],
  ] as const)('the official client %s signs in and calls', async (_, Client, Http, options) => {
    const { issuer, url } = await start();
    const user = sdkUser();
    const first = new (Http as typeof Http2)(new URL(url), { authProvider: user as never });
    const client = new (Client as typeof Client2)({ name: 'interop', version: '1.0.0' }, options);
    await expect(client.connect(first)).rejects.toThrow(/nauthorized/);
    await finishAuth(first, user);
    const again = new (Client as typeof Client2)({ name: 'interop', version: '1.0.0' }, options);
    await again.connect(new (Http as typeof Http2)(new URL(url), { authProvider: user as never }));
    onTestFinished(() => again.close());
    const { content } = (await again.callTool({ name: 'whoami', arguments: {} })) as unknown as {
      content: [{ text: string }];
    };
    expect(JSON.parse(content[0].text)).toMatchObject({ issuer, subject: 'ada' });
  });

  it.each(['handshake', 'stateless'] as const)(
    'tokens that only the provider understands are asked about, in the %s era',
    async (era) => {
      const introspection = { clientId: 'resource-server', clientSecret: 'a secret of the resource server' };
      const { issuer, url } = await start({ introspection }, { tokens: 'opaque' });
      const client = await connect(httpTransport(url, { auth: ourUser().auth }), { era });
      onTestFinished(() => client.close());
      expect(JSON.parse(expectText(await client.callTool('whoami')))).toMatchObject({ issuer, subject: 'ada' });
    },
  );

  it.each(['handshake', 'stateless'] as const)(
    'tokens that are bound to a key work for who has it, in the %s era',
    async (era) => {
      const { issuer, url } = await start({ dpop: 'require' });
      const { auth } = ourUser();
      const client = await connect(httpTransport(url, { auth }), { era });
      onTestFinished(() => client.close());
      expect(JSON.parse(expectText(await client.callTool('whoami')))).toMatchObject({
        issuer,
        claims: { cnf: { jkt: expect.any(String) } },
      });
      const { Authorization = '' } = await auth.headers({ url, method: 'POST' });
      const stolen = await fetch(url, {
        method: 'POST',
        headers: { Authorization: Authorization.replace('DPoP', 'Bearer') },
      });
      expect(stolen.status).toBe(401);
    },
  );

  it('a token for another server of the same provider is rejected', async () => {
    const one = await start();
    const { auth } = ourUser();
    const client = await connect(httpTransport(one.url, { auth }));
    onTestFinished(() => client.close());
    const { Authorization = '' } = await auth.headers({ url: one.url, method: 'POST' });
    const port = await freePort();
    const resource = `http://127.0.0.1:${port}/mcp`;
    const server = createServer({ name: 'other', version: '1.0.0' });
    const other = await serveHttp(server, { port, resource, auth: oauth({ issuer: one.issuer }) });
    onTestFinished(() => other.close({ graceMs: 0, lingerMs: 0 }));
    expect((await fetch(resource, { method: 'POST', headers: { Authorization } })).status).toBe(401);
  });
});

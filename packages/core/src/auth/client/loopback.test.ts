import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAuthorizationServer } from './fixtures/authorization-server.ts';
import { listen } from './fixtures/listen.ts';
import { send, startProtectedServer } from './fixtures/protected-server.ts';
import { loopbackAuthorize } from './loopback.ts';
import { oauth } from './oauth.ts';

const question = (state = 'unguessable') => new URL(`https://auth.example/authorize?state=${state}`);

/** True if a server listens on the port. */
function listens(port: string, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Listens on the port of a URL until the test ends, unless it is taken. */
async function occupy(url: string): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve());
    server.listen(Number(new URL(url).port), '127.0.0.1', () => resolve());
  });
}

describe('a user who signs in with a browser', () => {
  it('is redirected back with an authorization code', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const pages: string[] = [];
    const open = async (url: string) => {
      pages.push(await (await fetch(url)).text());
    };
    expect(await send(oauth(loopbackAuthorize({ open })), server.url)).toBe(200);
    expect(pages).toEqual(['Done. You may close this window.']);
  });

  it('is redirected to a path per server if the authorization server sends no issuer', async () => {
    const by = await startAuthorizationServer({
      metadata: { authorization_response_iss_parameter_supported: false },
      iss: null,
    });
    const server = await startProtectedServer({ by });
    const open = async (url: string) => void (await (await fetch(url)).text());
    const loopback = loopbackAuthorize({ open });
    expect(await send(oauth(loopback), server.url)).toBe(200);
    expect(by.questions()[0]?.redirect_uri).toBe(await loopback.redirectFor(by.issuer));
    expect(await loopback.redirectFor(by.issuer)).not.toBe(await loopback.redirectFor(`${by.issuer}/`));
  });

  it('is redirected to another port if the first is in use', async () => {
    const by = await startAuthorizationServer();
    const server = await startProtectedServer({ by });
    const open = async (url: string) => void (await (await fetch(url)).text());
    const loopback = loopbackAuthorize({ open });
    await occupy(loopback.redirectUrl);
    expect(await send(oauth(loopback), server.url)).toBe(200);
    expect(by.questions()[0]?.redirect_uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(by.questions()[0]?.redirect_uri).not.toBe(loopback.redirectUrl);
  });

  it('is redirected to a configured port', async () => {
    const taken = Number(new URL(await listen(() => ({}))).port);
    const loopback = loopbackAuthorize({ open: () => {}, port: taken });
    expect(await loopback.resolveRedirectUrl()).toBe(loopback.redirectUrl);
  });

  it('is redirected to a loopback port, which is closed afterwards', async () => {
    const open: boolean[] = [];
    const { redirectUrl, authorize } = loopbackAuthorize({
      open: async () => {
        const { port } = new URL(redirectUrl);
        open.push(await listens(port), await listens(port, '127.0.0.2'));
        await (await fetch(`${redirectUrl}?state=unguessable&code=a`)).text();
      },
    });
    expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect((await authorize(question())).href).toBe(`${redirectUrl}?state=unguessable&code=a`);
    expect(await listens(new URL(redirectUrl).port)).toBe(false);
    expect(open).toEqual([true, false]);
  });

  it.each([
    ['without state', 'GET', '/callback?code=evil'],
    ['with another state', 'GET', '/callback?code=evil&state=guess'],
    ['at another path', 'GET', '/other?code=evil&state=unguessable'],
    ['at another host', 'GET', '//evil.example/callback?code=evil&state=unguessable'],
    ['by another method', 'POST', '/callback?code=evil&state=unguessable'],
  ])('is awaited although a request arrives %s', async (_, method, path) => {
    const statuses: number[] = [];
    const { redirectUrl, authorize } = loopbackAuthorize({
      open: async () => {
        const { origin } = new URL(redirectUrl);
        statuses.push((await fetch(`${origin}${path}`, { method })).status);
        statuses.push((await fetch(`${redirectUrl}?state=unguessable&code=good`)).status);
      },
    });
    expect((await authorize(question())).searchParams.get('code')).toBe('good');
    expect(statuses[0]).toBe(404);
  });

  it('may sign in more than once', async () => {
    const { redirectUrl, authorize } = loopbackAuthorize({
      open: async (url) => {
        await (await fetch(`${redirectUrl}?code=a&state=${new URL(url).searchParams.get('state')}`)).text();
      },
    });
    for (const state of ['one', 'two']) {
      expect((await authorize(question(state))).searchParams.get('state')).toBe(state);
    }
  });

  it('is not waited for if there is no browser', async () => {
    const { redirectUrl, authorize } = loopbackAuthorize({ open: () => Promise.reject(new Error('No browser')) });
    await expect(authorize(question())).rejects.toThrow('No browser');
    expect(await listens(new URL(redirectUrl).port)).toBe(false);
  });

  it('is awaited until a timeout', async () => {
    const { authorize } = loopbackAuthorize({ open: () => {}, timeoutMs: 20 });
    await expect(authorize(question())).rejects.toThrow('did not come back in time');
  });

  it('is no longer awaited after an abort', async () => {
    const stop = new AbortController();
    const { redirectUrl, authorize } = loopbackAuthorize({ open: () => stop.abort(), signal: stop.signal });
    await expect(authorize(question())).rejects.toThrow('was given up');
    await expect(authorize(question())).rejects.toThrow('was given up');
    expect(await listens(new URL(redirectUrl).port)).toBe(false);
  });

  it('is reported when the port is taken', async () => {
    const port = Number(new URL(await listen(() => ({}))).port);
    const { authorize } = loopbackAuthorize({ open: () => {}, port });
    await expect(authorize(question())).rejects.toThrow(`Cannot listen on port ${port}`);
  });
});

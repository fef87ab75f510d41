import { createServer, ErrorCode, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { type Client, type ConnectOptions, connect, httpTransport, memoryTokenStore } from '@ccmcp/core/client';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import type { TestAuthorizationServer } from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pinned } from '../fixtures/clients.ts';
import { type TestBrowser, testBrowser } from '../fixtures/browser.ts';
import { type ProtectedUpstream, protectedUpstream } from '../fixtures/protected-upstream.ts';
import { remote } from '../remote.ts';
import type { RemoteOptions } from '../remote-options.ts';
import { type SignInOptions, signIns } from './sign-ins.ts';

interface Gateway {
  url: string;
  clientFor(key: string, options?: ConnectOptions): Promise<Client>;
}

/** A gateway over HTTP whose callers have keys, and sign in to the upstream each for themselves. */
async function gatewayTo(
  { url }: Pick<ProtectedUpstream, 'url'>,
  options: Partial<RemoteOptions> & Partial<SignInOptions> = {},
): Promise<Gateway> {
  const stores = new Map<string, ReturnType<typeof memoryTokenStore>>();
  let address = '';
  const pages = signIns({
    url: () => address,
    storeFor({ principal }) {
      const store = stores.get(principal) ?? memoryTokenStore();
      stores.set(principal, store);
      return store;
    },
    ...(options.signInMs !== undefined && { signInMs: options.signInMs }),
    ...(options.identify && { identify: options.identify }),
  });
  const up = remote({ name: 'up', target: { url }, credentials: pages.credentials({ name: 'up', url }), ...options });
  onTestFinished(() => up.close());
  const own = createServer({ name: 'own', version: '1', tools: [tool('time', {}, () => 'now')] });
  const service = await serveHttp(compose({ up, own }, { name: 'gateway', version: '1' }), {
    auth: apiKey({ keys: ['ann', 'bob', 'eve'].map((name) => ({ key: `key-of-${name}`, name })) }),
    pages: pages.pages,
  });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  address = service.url;
  return {
    url: service.url,
    async clientFor(name, more = {}) {
      const client = await connect(httpTransport(service.url, { headers: { 'X-Api-Key': `key-of-${name}` } }), more);
      onTestFinished(() => client.close());
      return client;
    },
  };
}

const toolsOf = async (client: Client): Promise<string[]> =>
  (await client.listTools().all()).map(({ name }) => name).sort();
const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

/** Answers a URL question by signing in with a browser. */
function signingIn(by: TestAuthorizationServer, subject: string, browser: TestBrowser = testBrowser()): ConnectOptions {
  return {
    async elicitUrl({ url }) {
      by.settings.subject = subject;
      const { status } = await browser.signIn(url);
      expect(status).toBe(200);
      return { action: 'accept' };
    },
  };
}

const fronts = ['2025-11-25', '2026-07-28'];

describe.each(fronts)('an upstream with credentials of each caller, for clients of %s', (front) => {
  it('asks a caller to sign in, and serves each with their own tokens only', async () => {
    const upstream = await protectedUpstream();
    const { by, seen } = upstream;
    const gateway = await gatewayTo(upstream);
    const ann = await gateway.clientFor('ann', { ...pinned(front), ...signingIn(by, 'ann-upstream') });
    const bob = await gateway.clientFor('bob', { ...pinned(front), ...signingIn(by, 'bob-upstream') });
    expect(await toolsOf(ann)).toEqual(['time', 'up_sign_in']);

    expect(textOf(await ann.callTool('up_sign_in'))).toContain('You are signed in to "up"');
    expect(await toolsOf(ann)).toEqual(['time', 'up_touch', 'up_who']);
    expect(textOf(await ann.callTool('up_who'))).toBe('ann-upstream');
    expect(await ann.readResource('memo://mine')).toMatchObject({ contents: [{ text: 'memo of ann-upstream' }] });

    // What one caller has signed in to, another has not.
    expect(await toolsOf(bob)).toEqual(['time', 'up_sign_in']);
    await expect(bob.callTool('up_who')).rejects.toThrow('Unknown tool');
    await expect(bob.readResource('memo://mine')).rejects.toThrow('not found');
    await bob.callTool('up_sign_in');
    expect(textOf(await bob.callTool('up_who'))).toBe('bob-upstream');
    expect(textOf(await ann.callTool('up_who'))).toBe('ann-upstream');

    const headers = seen.flat().join('\n');
    expect(headers).toContain('Bearer ');
    expect(headers).not.toContain('key-of-');
  });

  it('notifies a caller of their own resources and lists only', async () => {
    const upstream = await protectedUpstream();
    const gateway = await gatewayTo(upstream);
    const seen: string[] = [];
    const clients = new Map<string, Client>();
    for (const name of ['ann', 'bob']) {
      const client = await gateway.clientFor(name, { ...pinned(front), ...signingIn(upstream.by, name) });
      const onChange = (change: { kind: string }): void => void seen.push(`${name} ${change.kind}`);
      if (name === 'ann') await client.listen({ tools: true }, { onChange });
      await client.callTool('up_sign_in');
      await client.listen({ uris: ['memo://mine'] }, { onChange });
      clients.set(name, client);
    }
    const touch = (name: string): Promise<unknown> => (clients.get(name) as Client).callTool('up_touch');
    // The subscriptions upstream are made soon after those here.
    await expect.poll(() => touch('ann').then(() => seen.includes('ann resource'))).toBe(true);
    expect(seen).toContain('ann tools');
    expect(seen).not.toContain('bob resource');
    await expect.poll(() => touch('bob').then(() => seen.includes('bob resource'))).toBe(true);
  });

  it('continues a call when its caller has signed in again', async () => {
    const upstream = await protectedUpstream();
    const { by } = upstream;
    const gateway = await gatewayTo(upstream);
    let asked = 0;
    const { elicitUrl } = signingIn(by, 'ann');
    const ann = await gateway.clientFor('ann', {
      ...pinned(front),
      elicitUrl(question, asking) {
        asked += 1;
        return (elicitUrl as NonNullable<typeof elicitUrl>)(question, asking);
      },
    });
    await ann.callTool('up_sign_in');
    // The tokens are worth nothing any more, and can't be refreshed.
    upstream.rejectTokens();
    by.settings.onToken = (form) =>
      form.get('grant_type') === 'refresh_token' ? { status: 400, json: { error: 'invalid_grant' } } : undefined;
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
    expect(asked).toBe(2);
    expect(upstream.calls).toEqual(['ann']);
  });

  it('sends the sign-in URL in an error to a client that can not be asked', async () => {
    const upstream = await protectedUpstream();
    const gateway = await gatewayTo(upstream);
    const ann = await gateway.clientFor('ann', pinned(front));
    await toolsOf(ann);
    const failure = await ann.callTool('up_sign_in').then(
      (result) => textOf(result),
      (error: Error) => error.message,
    );
    const url = /http:\S+\/sign-in\?id=[\w-]+/.exec(failure)?.[0] ?? '';
    upstream.by.settings.subject = 'ann';
    expect(await testBrowser().signIn(url)).toMatchObject({ status: 200 });
    await ann.callTool('up_sign_in');
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
  });
});

describe('the tokens of a caller', () => {
  const refreshesBy = (by: TestAuthorizationServer): number =>
    by.forms().filter((form) => form.grant_type === 'refresh_token').length;

  it('are refreshed before they expire', async () => {
    const upstream = await protectedUpstream();
    const { by } = upstream;
    const gateway = await gatewayTo(upstream);
    const ann = await gateway.clientFor('ann', signingIn(by, 'ann'));
    // Less than the leeway: each request refreshes them.
    by.settings.lifetime = 5;
    await ann.callTool('up_sign_in');
    const before = refreshesBy(by);
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
    expect(refreshesBy(by)).toBeGreaterThan(before);
    by.settings.lifetime = 3600;
    await ann.callTool('up_who');
    const after = refreshesBy(by);
    await ann.callTool('up_who');
    expect(refreshesBy(by)).toBe(after);
  });

  it('are refreshed once when they are rejected in mid-call, and the call is served once', async () => {
    const upstream = await protectedUpstream();
    const { by } = upstream;
    const gateway = await gatewayTo(upstream);
    const ann = await gateway.clientFor('ann', signingIn(by, 'ann'));
    await ann.callTool('up_sign_in');
    upstream.rejectTokens();
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
    expect(refreshesBy(by)).toBe(1);
    expect(upstream.calls).toEqual(['ann']);
  });
});

describe('a sign-in', () => {
  async function begun(
    options: Partial<SignInOptions> = {},
  ): Promise<{ upstream: ProtectedUpstream; url: string; ann: Client }> {
    const upstream = await protectedUpstream();
    const gateway = await gatewayTo(upstream, options);
    const ann = await gateway.clientFor('ann', pinned('2025-06-18'));
    await toolsOf(ann);
    const error = (await ann.callTool('up_sign_in').catch((failed: unknown) => failed)) as {
      code: number;
      data: { url: string; upstream: string };
    };
    expect(error).toMatchObject({ code: ErrorCode.InternalError, data: { upstream: 'up' } });
    return { upstream, url: error.data.url, ann };
  }

  it('shows a page that names the caller and the upstream, and that runs and loads nothing else', async () => {
    const { url, upstream } = await begun();
    const { status, text, headers } = await testBrowser().open(url);
    expect(status).toBe(200);
    expect(text).toContain('ann wants to use up');
    expect(text).toContain(upstream.url);
    expect(text).not.toMatch(/<script|<style|<img|<form/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  it('continues only in the browser that opened its page, and accepts one answer', async () => {
    const { url, ann, upstream } = await begun();
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(url);
    const stranger = testBrowser();
    expect((await stranger.open(callback)).status).toBe(400);
    expect((await stranger.open(`${url}&confirm=guessed`)).status).toBe(400);
    upstream.by.settings.subject = 'ann';
    expect((await browser.open(callback)).status).toBe(200);
    expect((await browser.open(callback)).status).toBe(404);
    expect((await browser.open(url)).status).toBe(404);
    await ann.callTool('up_sign_in');
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
  });

  it('never redirects to an address of the request, and ignores unknown ids and states', async () => {
    const { url } = await begun();
    const browser = testBrowser();
    await browser.open(url);
    const callback = new URL('/sign-in/callback', url);
    for (const query of ['?id=none', '?id=none&confirm=x&redirect_uri=https://evil.example', '?']) {
      expect(await browser.open(new URL(`/sign-in${query}`, url).href)).toMatchObject({
        status: 404,
        location: undefined,
      });
    }
    for (const query of ['?state=none&code=x', '?code=x&redirect_uri=https://evil.example', '']) {
      expect(await browser.open(callback.href + query)).toMatchObject({ status: 404, location: undefined });
    }
  });

  it('shows what the authorization server said as text', async () => {
    const { url, upstream } = await begun();
    upstream.by.settings.denyUser = { error: 'access_denied', error_description: '<img src=x onerror=alert(1)>' };
    const { status, text } = await testBrowser().signIn(url);
    expect(status).toBe(400);
    expect(text).toContain('You are not signed in to up');
    expect(text).not.toContain('<img');
  });

  it('continues only for its own caller where the gateway can identify the person at the browser', async () => {
    let person: string | undefined;
    const asked: (string | undefined)[] = [];
    const identify: SignInOptions['identify'] = ({ header }) => {
      asked.push(header('cookie'));
      return person ?? { status: 303, headers: { Location: 'https://app.example/login' } };
    };
    const { url, upstream, ann } = await begun({ identify });
    const browser = testBrowser();
    expect(await browser.open(url)).toMatchObject({ status: 303, location: 'https://app.example/login' });
    person = 'somebody else';
    expect(await browser.open(url)).toMatchObject({
      status: 403,
      text: expect.stringContaining('Only ann can use it'),
    });
    person = 'ann';
    const callback = await browser.signInUntilCallback(url);
    person = 'somebody else';
    expect((await browser.open(callback)).status).toBe(403);
    person = 'ann';
    upstream.by.settings.subject = 'ann';
    expect((await browser.open(callback)).status).toBe(200);
    await ann.callTool('up_sign_in');
    expect(textOf(await ann.callTool('up_who'))).toBe('ann');
    expect(asked.at(-1)).toContain('ccmcp-sign-in-');
  });

  it('expires', async () => {
    const { url } = await begun({ signInMs: 10 });
    await expect.poll(async () => (await testBrowser().open(url)).status).toBe(404);
  });
});

it('anonymous callers get nothing of an upstream with credentials per caller', async () => {
  const upstream = await protectedUpstream();
  const credentials = signIns({ url: 'http://127.0.0.1:1/mcp', storeFor: () => memoryTokenStore() }).credentials({
    name: 'up',
    url: upstream.url,
  });
  const up = remote({ name: 'up', target: { url: upstream.url }, credentials });
  onTestFinished(() => up.close());
  const service = await serveHttp(up, {});
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  const client = await connect(httpTransport(service.url));
  onTestFinished(() => client.close());
  expect(await toolsOf(client)).toEqual([]);
  await expect(client.callTool('up_who')).rejects.toThrow('Unknown tool');
  expect(upstream.seen).toEqual([]);
});

it('the least recently used callers are evicted', async () => {
  const upstream = await protectedUpstream();
  const gateway = await gatewayTo(upstream, { maxCallers: 1 });
  for (const name of ['ann', 'bob', 'ann']) {
    const client = await gateway.clientFor(name, signingIn(upstream.by, name));
    await client.callTool('up_sign_in');
    expect(textOf(await client.callTool('up_who'))).toBe(name);
  }
});

import { type Client, memoryTokenStore } from '@ccmcp/core/client';
import { memoryStore, type Store } from '@ccmcp/core/http';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../fixtures/browser.ts';
import { pinned } from '../fixtures/clients.ts';
import { type ProtectedUpstream, protectedUpstream } from '../fixtures/protected-upstream.ts';
import { type SignInGateway, signInGateway } from '../fixtures/sign-in-gateway.ts';
import { sharedTokens } from './shared-tokens.ts';
import type { SignInOptions } from './sign-ins.ts';

const key = 'a secret of the operator, long enough';
const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

interface Pair {
  upstream: ProtectedUpstream;
  store: Store;
  one: SignInGateway;
  other: SignInGateway;
}

/** Two gateways with one store. */
async function gateways(options: Partial<SignInOptions> = {}): Promise<Pair> {
  const upstream = await protectedUpstream();
  upstream.by.settings.subject = 'ann';
  const store = memoryStore();
  const one = await signInGateway(upstream, sharedTokens({ store, key }), options);
  const other = await signInGateway(upstream, sharedTokens({ store, key }), options);
  return { upstream, store, one, other };
}

/** Begins a sign-in, and returns its page. */
async function begin(client: Client): Promise<string> {
  const error = (await client.callTool('up_sign_in').catch((failed: unknown) => failed)) as { data: { url: string } };
  return error.data.url;
}

const oldClient = pinned('2025-06-18');

describe('a sign-in that one of two gateways began', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'continues a waiting call when its pages were served by the other, for a client of %s',
    async (version) => {
      const { one, other, upstream } = await gateways();
      const pages: Promise<{ status: number }>[] = [];
      const client = await one.client({
        ...pinned(version),
        async elicitUrl({ url }) {
          const browser = testBrowser();
          const callback = await browser.signInUntilCallback(other.at(url));
          // The call waits already when the browser comes back.
          setTimeout(() => pages.push(browser.open(other.at(callback))), 10);
          return { action: 'accept' };
        },
      });
      expect(textOf(await client.callTool('up_sign_in'))).toContain('You are signed in');
      expect(await Promise.all(pages)).toMatchObject([{ status: 200 }]);
      expect(textOf(await client.callTool('up_who'))).toBe('ann');
      expect(textOf(await (await other.client()).callTool('up_who'))).toBe('ann');
      expect(upstream.by.requests('/register')).toHaveLength(1);
      expect(upstream.by.forms().map((form) => form.grant_type)).toEqual(['authorization_code']);
    },
  );

  it('replaces rejected tokens in mid-call, without a refresh of the new ones', async () => {
    const { one, other, upstream } = await gateways();
    const { by } = upstream;
    let asked = 0;
    const client = await one.client({
      async elicitUrl({ url }) {
        asked += 1;
        const browser = testBrowser();
        const { status } = await browser.open(other.at(await browser.signInUntilCallback(other.at(url))));
        expect(status).toBe(200);
        return { action: 'accept' };
      },
    });
    await client.callTool('up_sign_in');
    upstream.rejectTokens();
    by.settings.onToken = (form) =>
      form.get('grant_type') === 'refresh_token' ? { status: 400, json: { error: 'invalid_grant' } } : undefined;
    expect(textOf(await client.callTool('up_who'))).toBe('ann');
    expect(asked).toBe(2);
    expect(by.forms().map((form) => form.grant_type)).toEqual([
      'authorization_code',
      'refresh_token',
      'authorization_code',
    ]);
  });

  it('continues a call that waits at the other, in a sign-in of its own', async () => {
    const { one, other } = await gateways();
    const page = await begin(await one.client(oldClient));
    const browser = testBrowser();
    const second = await other.client({
      async elicitUrl() {
        const callback = await browser.signInUntilCallback(page);
        setTimeout(() => void browser.open(callback), 10);
        return { action: 'accept' };
      },
    });
    expect(textOf(await second.callTool('up_sign_in'))).toContain('You are signed in');
    expect(textOf(await second.callTool('up_who'))).toBe('ann');
  });

  it('is completed by another instance if the first one died', async () => {
    const { one, other } = await gateways();
    const page = await begin(await one.client(oldClient));
    await one.close();
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(other.at(page));
    expect((await browser.open(other.at(callback))).status).toBe(200);
    expect(textOf(await (await other.client()).callTool('up_who'))).toBe('ann');
  });

  it('fails the waiting call if the person refuses it at the other', async () => {
    const { one, other, upstream } = await gateways();
    upstream.by.settings.denyUser = { error: 'access_denied', error_description: '<b>no</b>' };
    let page: { status: number; text: string } | undefined;
    const client = await one.client({
      ...pinned('2025-11-25'),
      async elicitUrl({ url }) {
        const browser = testBrowser();
        page = await browser.open(other.at(await browser.signInUntilCallback(other.at(url))));
        return { action: 'accept' };
      },
    });
    await expect(client.callTool('up_sign_in')).rejects.toThrow('access_denied');
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('You are not signed in to up') });
    expect(page?.text).not.toContain('<b>');
    delete upstream.by.settings.denyUser;
    expect(await begin(await one.client(oldClient))).toContain('/sign-in?id=');
  });

  it('takes one answer, at either', async () => {
    const { one, other, upstream } = await gateways();
    const page = await begin(await one.client(oldClient));
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(other.at(page));
    const both = [one.at(callback), other.at(callback), other.at(callback)];
    const answers = await Promise.all(both.map((url) => browser.open(url)));
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '404', '404']);
    for (const url of [...both, other.at(page), page]) expect((await browser.open(url)).status).toBe(404);
    expect(upstream.by.forms()).toHaveLength(1);
  });

  it('continues at the other only in the browser that opened its page', async () => {
    const { one, other } = await gateways();
    const page = await begin(await one.client(oldClient));
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(page);
    const stranger = testBrowser();
    expect((await stranger.open(other.at(callback))).status).toBe(400);
    expect((await stranger.open(`${other.at(page)}&confirm=guessed`)).status).toBe(400);
    expect((await browser.open(other.at(callback))).status).toBe(200);
  });

  it('continues at the other only for its own caller', async () => {
    let person = 'ann';
    const { one, other } = await gateways({ identify: () => person });
    const page = await begin(await one.client(oldClient));
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(page);
    person = 'bob';
    const rejected = { status: 403, text: expect.stringContaining('Only ann can use it') };
    expect(await browser.open(other.at(callback))).toMatchObject(rejected);
    expect(await browser.open(other.at(page))).toMatchObject(rejected);
    person = 'ann';
    expect((await browser.open(other.at(callback))).status).toBe(200);
  });

  it('expires at both', async () => {
    const { one, other } = await gateways({ signInMs: 10 });
    const page = await begin(await one.client(oldClient));
    for (const gateway of [other, one]) {
      await expect.poll(async () => (await testBrowser().open(gateway.at(page))).status).toBe(404);
    }
  });

  it('is unknown where ids and states are guessed, and to a gateway with another key or no shared store', async () => {
    const { one, other, store, upstream } = await gateways();
    const page = await begin(await one.client(oldClient));
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(page);
    const forged = new URL(other.at(callback));
    for (const state of ['none', '', new URL(page).searchParams.get('id') ?? '']) {
      forged.searchParams.set('state', state);
      expect(await browser.open(forged.href)).toMatchObject({ status: 404, location: undefined });
    }
    const withOtherKey = await signInGateway(upstream, sharedTokens({ store, key: `another ${key}` }));
    const alone = await signInGateway(upstream, () => memoryTokenStore());
    for (const gateway of [withOtherKey, alone]) {
      expect((await browser.open(gateway.at(page))).status).toBe(404);
      expect((await browser.open(gateway.at(callback))).status).toBe(404);
    }
    expect((await browser.open(other.at(callback))).status).toBe(200);
  });
});

describe('pending sign-ins in a store', () => {
  const record = {
    caller: 'Ann',
    principal: 'ann',
    upstream: { name: 'up', url: 'https://up.example/mcp' },
    authorizationUrl: 'https://issuer.example/authorize?state=a-state',
    expiresAt: Date.now() + 60_000,
  };
  const life = { kind: 'test', ttlMs: 60_000, limit: 10 };

  it('are never stored as text, and are none if they were changed, moved or have expired', async () => {
    const inner = memoryStore();
    const written = new Map<string, string>();
    const store = Object.assign(Object.create(inner) as Store, {
      create: (name: string, fields: { sealed: string }, given: typeof life) => {
        written.set(name, fields.sealed);
        expect(JSON.stringify([name, fields, given])).not.toMatch(/"(?:ann|one|two)|\.example|a-state/);
        return inner.create(name, fields, given);
      },
    });
    const { signIns } = sharedTokens({ store, key });
    await signIns.create('one', record);
    await signIns.create('two', { ...record, principal: 'bob' });
    expect(await signIns.get('one', 60_000)).toEqual(record);
    const [one = '', two = ''] = written.keys();
    await inner.create(one, { sealed: written.get(two) as string }, life);
    expect(await signIns.get('one', 60_000)).toBeUndefined();
    await inner.create(one, { sealed: 'no such thing' }, life);
    expect(await signIns.get('one', 60_000)).toBeUndefined();
    await signIns.update('two', { ...record, expiresAt: Date.now() - 1 });
    await inner.create(two, { sealed: written.get(two) as string }, life);
    expect(await signIns.get('two', 60_000)).toMatchObject({ principal: 'bob' });
    await signIns.create('two', { ...record, expiresAt: Date.now() - 1 });
    await inner.create(two, { sealed: written.get(two) as string }, life);
    expect(await signIns.get('two', 60_000)).toBeUndefined();
  });

  it('are bounded for each caller', async () => {
    const { signIns } = sharedTokens({ store: memoryStore(), key });
    await signIns.create('of bob', { ...record, principal: 'bob' });
    for (let count = 0; count <= 200; count += 1) await signIns.create(`${count}`, record);
    expect(await signIns.get('0', 60_000)).toBeUndefined();
    expect(await signIns.get('200', 60_000)).toEqual(record);
    expect(await signIns.get('of bob', 60_000)).toMatchObject({ principal: 'bob' });
  });
});

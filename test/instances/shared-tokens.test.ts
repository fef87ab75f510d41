import { sharedTokens } from '@ccmcp/gateway/credentials';
import { afterAll, describe, expect, it } from 'vitest';
import { testBrowser } from '../../packages/gateway/src/fixtures/browser.ts';
import { protectedUpstream } from '../../packages/gateway/src/fixtures/protected-upstream.ts';
import { signInGateway } from '../../packages/gateway/src/fixtures/sign-in-gateway.ts';
import { stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { openStore, storeKinds } from './fixtures/gateways.ts';

afterAll(stopAll);

const key = 'a secret of the operator, long enough';

describe.each(storeKinds)('the tokens of callers of two gateways with a store in %s', (kind) => {
  it('are those of one sign-in, refreshed by one at a time, and encrypted', async () => {
    const upstream = await protectedUpstream();
    const { by } = upstream;
    const { pair, contents } = await openStore(kind);
    const one = await signInGateway(upstream, sharedTokens({ store: pair[0], key }));
    const other = await signInGateway(upstream, sharedTokens({ store: pair[1], key }));
    const first = await one.client(one.signingIn);
    await first.callTool('up_sign_in');
    const second = await other.client();
    const who = { content: [{ text: 'ann' }] };
    for (const client of [first, second]) expect(await client.callTool('up_who')).toMatchObject(who);
    upstream.rejectTokens();
    const results = await Promise.all([first, second, first, second].map((client) => client.callTool('up_who')));
    expect(results).toMatchObject([who, who, who, who]);
    const refreshes = by.forms().filter((form) => form.grant_type === 'refresh_token');
    expect(refreshes).toHaveLength(1);
    const stored = await contents();
    const isKept = kind !== 'memory';
    expect(stored.includes('gateway/tokens')).toBe(isKept);
    for (const secret of [...by.tokens.keys(), refreshes[0]?.refresh_token as string, '"ann"', by.issuer, key]) {
      expect(stored).not.toContain(secret);
    }
  });
});

describe.each(storeKinds)('a sign-in of one of two gateways with a store in %s', (kind) => {
  it('continues a waiting call when its pages were served by the other, once, and is encrypted', async () => {
    const upstream = await protectedUpstream();
    upstream.by.settings.subject = 'ann';
    const { pair, contents } = await openStore(kind);
    const one = await signInGateway(upstream, sharedTokens({ store: pair[0], key }));
    const other = await signInGateway(upstream, sharedTokens({ store: pair[1], key }));
    const statuses: string[] = [];
    let stored = '';
    const client = await one.client({
      async elicitUrl({ url }) {
        const browser = testBrowser();
        const callback = await browser.signInUntilCallback(other.at(url));
        stored = await contents();
        const answers = await Promise.all([other, one].map((each) => browser.open(each.at(callback))));
        statuses.push(...answers.map(({ status }) => String(status)));
        return { action: 'accept' };
      },
    });
    await client.callTool('up_sign_in');
    expect(statuses.sort()).toEqual(['200', '404']);
    expect(await client.callTool('up_who')).toMatchObject({ content: [{ text: 'ann' }] });
    expect(stored.includes('gateway/sign-ins')).toBe(kind !== 'memory');
    const [{ state, client_id: id } = {}] = upstream.by.questions();
    for (const secret of [state, id, '"ann"', 'code_challenge', upstream.url, upstream.by.issuer, key]) {
      expect(stored).not.toContain(secret);
    }
    expect((await contents()).includes('gateway/sign-ins/')).toBe(false);
  });

  it('is completed by another instance if the first one died', async () => {
    const upstream = await protectedUpstream();
    upstream.by.settings.subject = 'ann';
    const { pair } = await openStore(kind);
    const one = await signInGateway(upstream, sharedTokens({ store: pair[0], key }));
    const other = await signInGateway(upstream, sharedTokens({ store: pair[1], key }));
    const client = await one.client();
    const error = (await client.callTool('up_sign_in').catch((failed: unknown) => failed)) as { data: { url: string } };
    await one.close();
    const browser = testBrowser();
    const callback = await browser.signInUntilCallback(other.at(error.data.url));
    expect(await browser.open(other.at(callback))).toMatchObject({ status: 200 });
    expect(await (await other.client()).callTool('up_who')).toMatchObject({ content: [{ text: 'ann' }] });
  });
});

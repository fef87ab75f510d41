import { sharedTokens } from '@ccmcp/gateway/credentials';
import { afterAll, describe, expect, it } from 'vitest';
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

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { post, statelessClient } from '../../../transports/http/server/fixtures/client.ts';
import { startProtected, bearer } from './fixtures/protected.ts';
import { nowInSeconds } from './fixtures/issuer.ts';
import { isCurrent, type Verdict, VerdictCache } from './verdict-cache.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const rejection = { status: 401, message: 'no' };

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

function verdict(length = 100): Verdict {
  const source = { issuer: 'https://login.example', retired: false };
  return { text: 'x'.repeat(length), source, named: {}, freshUntil: 1e9, endsAt: 1e12, cachedCaller: undefined };
}

describe('the cache of verified tokens', () => {
  it('evicts the oldest entry above its limit (AR-50)', () => {
    const verdicts = new VerdictCache();
    for (let index = 0; index < 10_002; index++) verdicts.keep(`${index}`, verdict());
    expect([verdicts.good('0'), verdicts.good('1')]).toEqual([undefined, undefined]);
    expect([verdicts.good('2'), verdicts.good('10001')].every((each) => each !== undefined)).toBe(true);
    verdicts.keep('long', verdict(2_800_000 - 99 * 100));
    expect(verdicts.good('9902')).toBe(undefined);
    expect(verdicts.good('9903')).toBeDefined();
  });

  it('expires with its TTL, the token or the signing key (AR-50, AR-52)', () => {
    stopClock();
    const now = Math.floor(Date.now() / 1000);
    const one = { ...verdict(), freshUntil: performance.now() + 60_000, endsAt: now + 30 };
    expect(isCurrent(one)).toBe(true);
    expect(isCurrent({ ...one, source: { issuer: 'x', retired: true } })).toBe(false);
    vi.advanceTimersByTime(29_000);
    expect(isCurrent(one)).toBe(true);
    vi.advanceTimersByTime(2000);
    expect(isCurrent(one)).toBe(false);
    expect(isCurrent({ ...one, endsAt: now + 3600 })).toBe(true);
    vi.advanceTimersByTime(29_000);
    expect(isCurrent({ ...one, endsAt: now + 3600 })).toBe(false);
  });

  it('caches rejections for five seconds, a thousand at most (AR-51)', () => {
    stopClock();
    const verdicts = new VerdictCache();
    for (let index = 0; index < 1001; index++) verdicts.keepRejected(`${index}`, rejection);
    expect([verdicts.rejected('0'), verdicts.rejected('1')]).toEqual([undefined, rejection]);
    vi.advanceTimersByTime(5000);
    expect(verdicts.rejected('1')).toBe(undefined);
  });

  it('keeps callers of recently used tokens only', () => {
    const verdicts = new VerdictCache();
    const all = Array.from({ length: 129 }, () => verdict());
    for (const each of all) verdicts.cacheCaller(each, { caller: {} as never, boundTo: undefined });
    expect(all[0]?.cachedCaller).toBe(undefined);
    expect(all.slice(1).every(({ cachedCaller }) => cachedCaller !== undefined)).toBe(true);
  });
});

describe('a cached token', () => {
  it('is rejected once expired, even within the same second (AU-27, AR-50)', async () => {
    const { url, token } = await startProtected({ leewayMs: 0 });
    const headers = bearer(await token({ claims: { exp: nowInSeconds() + 2 } }));
    expect((await post(url, ping, headers)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await post(url, ping, headers)).status).toBe(401);
    expect((await statelessClient(url, { headers }).send('tools/list')).status).toBe(401);
  });

  it('gets a 429 after many failed introspections, unless it is a valid JWT (AR-51)', async () => {
    const introspection = { clientId: 'notes', clientSecret: 'secret', endpoint: 'http://127.0.0.1:1/introspect' };
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (where, init) => {
      const address = new Request(where).url;
      if (!address.endsWith('/introspect')) return globalThis.fetch(where, init);
      asked.push(address);
      return Response.json({ active: false });
    };
    const { url, token } = await startProtected({ maxRejectedTokens: 5, introspection, fetch });
    const answers: Response[] = [];
    for (let index = 0; index < 8; index++) answers.push(await post(url, ping, bearer(`wrong-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(asked.length).toBe(5);
    expect((await post(url, ping, bearer(await token()))).status).toBe(200);
  });

  it('is verified on each request if caching is off (AR-50)', async () => {
    const claims: unknown[] = [];
    const principal = (given: unknown): object => {
      claims.push(given);
      return {};
    };
    const [often, once] = [await startProtected({ principal, revalidateMs: 0 }), await startProtected({ principal })];
    for (const { url, token } of [often, once]) {
      const headers = bearer(await token());
      for (let count = 0; count < 3; count++) expect((await post(url, ping, headers)).status).toBe(200);
    }
    expect(claims.length).toBe(4);
  });
});

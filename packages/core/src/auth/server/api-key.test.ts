import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKey } from './api-key.ts';
import { handshake, post, sessionClient, textOf } from '../../transports/http/server/fixtures/client.ts';
import type { WireMessage } from '../../transports/http/server/fixtures/events.ts';
import { start } from '../../transports/http/server/fixtures/start.ts';
import { tool } from '../../server/define/define.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const key = 'correct-horse-battery-staple';

describe('an API key', () => {
  it('authenticates its holder only (AK-01, AK-02, AK-03, AK-05)', async () => {
    const { url } = await start({ auth: apiKey({ keys: [key] }) });
    const send = (given: string): Promise<Response> => post(url, ping, { 'X-Api-Key': given });
    expect((await send(key)).status).toBe(200);
    expect((await post(url, ping)).status).toBe(401);
    const wrong = [
      '',
      'x',
      key.slice(1),
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      `${key}, ${key}`,
      'x'.repeat(9000),
    ];
    for (const given of [...wrong, '__proto__', 'constructor', 'undefined', 'null']) {
      expect({ given, status: (await send(given)).status }).toEqual({ given, status: 401 });
    }
  });

  it('is required for every method, before the body is read (AU-26)', async () => {
    const { url } = await start({ auth: apiKey({ keys: [key] }), sse: true });
    for (const path of ['/mcp', '/sse', '/messages']) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const response = await fetch(new URL(path, url), { method });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('ApiKey header="X-Api-Key"');
        expect(await response.json()).toEqual({
          jsonrpc: '2.0',
          error: { code: -32600, message: 'X-Api-Key is missing or wrong' },
        });
      }
    }
  });

  it('may have an owner with several keys, and scopes per key or for all', async () => {
    const keys = ['plain', { key: 'old', name: 'robot' }, { key: 'new', name: 'robot', scopes: ['write'] }];
    const { url } = await start(
      { auth: apiKey({ keys, scopes: ['read', 'read'] }) },
      { tools: [tool('auth', {}, (_, { auth }) => ({ ...auth }))] },
    );
    const authOf = async (given: string): Promise<unknown> => {
      const response = await post(
        url,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'auth' } },
        { 'X-Api-Key': given },
      );
      return JSON.parse(textOf((await response.json()) as WireMessage) ?? '');
    };
    expect(await authOf('plain')).toEqual({ principal: expect.stringMatching(/^key-[0-9a-f]{12}$/), scopes: ['read'] });
    expect(await authOf('old')).toEqual({ principal: 'robot', scopes: ['read'] });
    expect(await authOf('new')).toEqual({ principal: 'robot', scopes: ['write'] });
  });

  it('is rejected at start-up if invalid', () => {
    expect(() => apiKey({ keys: [{ key: '' }] })).toThrow(/at least one key, and no empty one/);
    expect(() => apiKey({ keys: [{} as never] })).toThrow(/write each key as a text, or as { key: "…", name: "…" }/);
    expect(() => apiKey({ keys: [{ key: 'a', name: '' }] })).toThrow(/name of a key is empty/);
    expect(() => apiKey({ keys: ['a'], scopes: ['a b'] })).toThrow(/apiKey: "a b" is no scope/);
    expect(() => apiKey({ keys: [{ key: 'a', scopes: 'read' as never }] })).toThrow(/such as \["read"\]/);
    expect(() => apiKey({ keys: ['a'], scope: ['read'] } as never)).toThrow(/no option "scope": did you mean "scopes"/);
    expect(() => apiKey({ keys: [{ key: 'a', scope: ['read'] } as never] })).toThrow(
      /A key of apiKey has no option "scope"/,
    );
  });

  it('is read from its header only, not from the URL (AK-04, AU-19)', async () => {
    const { url } = await start({ auth: apiKey({ keys: [key] }) });
    expect((await post(`${url}?X-Api-Key=${key}&api_key=${key}`, ping)).status).toBe(401);
    expect((await post(url, ping, { Authorization: `Bearer ${key}` })).status).toBe(401);
  });

  it('may be one of several, in a custom header; each key is another caller (AU-25)', async () => {
    const auth = apiKey({ keys: ['old', 'new'], header: 'X-Api-Token' });
    const { url } = await start({ auth });
    const first = await handshake(url, { headers: { 'X-Api-Token': 'old' } });
    const second = await handshake(url, { headers: { 'X-Api-Token': 'new' } });
    const names = [textOf(await first.call('whoami')), textOf(await second.call('whoami'))];
    expect(names[0]).not.toBe(names[1]);
    const thief = sessionClient(url, first.id, { headers: { 'X-Api-Token': 'new' } });
    expect((await thief.send('ping')).status).toBe(404);
  });

  it('makes the same caller on every instance, in whatever order keys are given', async () => {
    const sent = { method: 'POST', path: '/mcp', address: undefined };
    const request = { ...sent, header: () => 'b' };
    const [one, two] = [apiKey({ keys: ['a', 'b'] }), apiKey({ keys: ['b'] })];
    expect(await one.authenticate(request)).toEqual(await two.authenticate(request));
    // A prefix of the digest of the key, long enough to distinguish callers.
    expect(await one.authenticate(request)).toEqual({ principal: 'key-3e23e8160039' });
    expect(await one.authenticate(request)).not.toEqual(await one.authenticate({ ...sent, header: () => 'a' }));
  });

  it('can not be guessed: callers with many wrong keys are delayed (AK-08)', async () => {
    // However long the requests take, no second window of the limit begins.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url } = await start({ auth: apiKey({ keys: [key, 'another'] }) });
    const send = (given: string): Promise<Response> => post(url, ping, { 'X-Api-Key': given });
    expect((await send(key)).status).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 300; guess++) statuses.push((await send(`guess-${guess}`)).status);
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(100).every((status) => status === 429)).toBe(true);

    const late = await send('another');
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await late.json()).toMatchObject({
      error: { message: expect.stringMatching(/Too many wrong .*X-Api-Key/) },
    });
    expect((await send(key)).status).toBe(200);
  });

  it('may be tried again after a while, and from other addresses at once; a missing key does not count', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const auth = apiKey({ keys: [key], maxGuesses: 2 });
    const status = async (given: string | undefined, address: string | undefined): Promise<number> => {
      const request = { method: 'POST', path: '/mcp', header: () => given, address };
      const answer = (await auth.authenticate(request)) ?? auth.challenge?.(request, { needed: [], caller: undefined });
      return answer !== undefined && 'status' in answer ? Number(answer.status) : 200;
    };
    for (let count = 0; count < 5; count++) expect(await status(undefined, '::1')).toBe(401);
    for (const expected of [401, 401, 429]) expect(await status('wrong', '::1')).toBe(expected);
    expect(await status(key, '::1')).toBe(429);
    expect(await status(key, '::2')).toBe(200);
    for (let count = 0; count < 5; count++) expect(await status('wrong', undefined)).toBe(401);
    vi.advanceTimersByTime(10_000);
    expect(await status(key, '::1')).toBe(200);
  });

  it('appears in no response, caller name or log (AK-07, AU-23)', async () => {
    const { url, log } = await start({ auth: apiKey({ keys: [key] }) });
    const session = await handshake(url, { headers: { 'X-Api-Key': key } });
    const answers = [
      await (await session.sendCall('whoami')).text(),
      await (await session.sendCall('fail')).text(),
      await (await post(url, '{', { 'X-Api-Key': key })).text(),
      await (await post(url, ping, { 'X-Api-Key': `${key}!` })).text(),
    ];
    expect(answers.join() + JSON.stringify(log)).not.toContain(key);
  });

  it('must be present and not empty', () => {
    const error = new TypeError('apiKey needs at least one key, and no empty one');
    expect(() => apiKey({ keys: 'abc' as never })).toThrow('apiKey: keys must be a list');
    expect(() => apiKey({ keys: [] })).toThrow(error);
    expect(() => apiKey({ keys: ['good', ''] })).toThrow(error);
  });

  it('is compared in constant time, by digests of one length (AK-06)', () => {
    const source = readFileSync(new URL('./key-digests.ts', import.meta.url), 'utf8');
    expect(source).toContain('timingSafeEqual');
    expect(source).not.toMatch(/keys\.(includes|indexOf|has|find|some\(\(key\) => key === given)/);
  });
});

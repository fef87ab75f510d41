import { describe, expect, it } from 'vitest';
import { listen } from './fixtures/listen.ts';
import { createRemote } from './remote.ts';

describe('an address that a server on this machine names', () => {
  const remote = createRemote('http://localhost:1234/mcp', {});

  it.each([
    'https://auth.example/token',
    'https://auth.example:8443/token?tenant=1',
    'http://localhost:1/token',
    'http://127.0.0.1/token',
    'http://[::1]:1/token',
    'http://app.localhost/token',
    'https://localhost/token',
  ])('%s is used', (url) => {
    expect(remote.check(url, 'address').href).toBe(url);
  });

  it.each([
    'http://auth.example/token',
    'http://localhost.example/token',
    'http://127.0.0.1.example/token',
    'http://10.0.0.1/token',
    'http://0.0.0.0/token',
    'https://[::ffff:127.0.0.1]/token',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:application/json,{}',
    'ssh://localhost/',
    'calc.exe',
    'https://user:password@auth.example/token',
    '',
  ])('%s is not (C-A-09, OA-08)', (url) => {
    expect(() => remote.check(url, 'address')).toThrow(expect.objectContaining({ code: 'unsafe_url' }));
  });
});

describe('an address that a server elsewhere names', () => {
  const remote = createRemote('https://mcp.example/mcp', {});

  it.each([
    'http://localhost:1/token',
    'https://localhost/token',
    'https://localhost./token',
    'https://app.localhost/token',
    'https://0.0.0.0/',
    'https://[::]/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
  ])('%s on this machine is not used (OA-08)', (url) => {
    expect(() => remote.check(url, 'address')).toThrow(expect.objectContaining({ code: 'unsafe_url' }));
  });

  it('is used if it is https', () => {
    expect(remote.check('https://auth.example/token', 'address').host).toBe('auth.example');
  });
});

describe('an answer', () => {
  it('that is no JSON object has no body', async () => {
    const origin = await listen(({ path }) => ({ text: decodeURIComponent(path.slice(1)) }));
    const remote = createRemote(origin, {});
    for (const text of ['<html>', '[]', '"a"', 'null', '']) {
      expect(await remote.get(`${origin}/${encodeURIComponent(text)}`)).toMatchObject({ status: 200, body: undefined });
    }
  });

  it('that redirects is not followed', async () => {
    const seen: string[] = [];
    const origin = await listen(({ path }) => {
      seen.push(path);
      return path === '/token' ? { status: 307, headers: { Location: '/other' } } : { json: {} };
    });
    const answer = await createRemote(origin, {}).post(`${origin}/token`, { headers: {}, body: 'code=secret' });
    expect(answer.status).toBe(307);
    expect(seen).toEqual(['/token']);
  });

  it('that is too long is not read to its end', async () => {
    const origin = await listen(() => ({ text: `{"a":"${'a'.repeat(1024 * 1024)}"}` }));
    await expect(createRemote(origin, {}).get(origin)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('that does not come is waited for only so long', async () => {
    const origin = await listen(() => new Promise(() => {}));
    await expect(createRemote(origin, { timeoutMs: 50 }).get(origin)).rejects.toMatchObject({
      code: 'unreachable',
      message: `No usable answer from ${origin}/`,
    });
  });
});

import dns from 'node:dns';
import { isIP } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen } from './client/fixtures/listen.ts';
import { createRemote } from './remote.ts';

describe('a URL from the metadata of a local server', () => {
  const remote = createRemote({ url: 'http://localhost:1234/mcp' }, {});

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
    'https://0.0.0.0/token',
    'https://169.254.169.254/token',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:application/json,{}',
    'ssh://localhost/',
    'calc.exe',
    'https://user:password@auth.example/token',
    '',
  ])('%s is not used (C-A-09, OA-08)', (url) => {
    expect(() => remote.check(url, 'address')).toThrow(expect.objectContaining({ code: 'unsafe_url' }));
  });
});

describe('a URL from the metadata of a remote server', () => {
  const remote = createRemote({ url: 'https://mcp.example/mcp' }, {});

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
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/token',
    'https://192.168.0.1:8443/token',
    'https://172.16.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://167772161/token',
    'https://0x0a000001/token',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
  ])('%s, local or in a private network, is not used (OA-08)', (url) => {
    expect(() => remote.check(url, 'address')).toThrow(expect.objectContaining({ code: 'unsafe_url' }));
  });

  it('is used if it is https', () => {
    expect(remote.check('https://auth.example/token', 'address').host).toBe('auth.example');
  });
});

describe('a URL in a private network', () => {
  const url = 'https://10.0.0.1/token';

  it.each([
    ['there too, by its URL', { url: 'https://10.9.9.9/mcp' }, {}],
    ['there too, by what answered', { url: 'https://mcp.corp.example/mcp', address: '::ffff:192.168.3.4' }, {}],
    ['on this machine', { url: 'http://localhost:1/mcp' }, {}],
    ['elsewhere, if the user allows it', { url: 'https://mcp.example/mcp' }, { privateAddresses: true }],
  ])('is used if the server is %s', (_, server, options) => {
    expect(createRemote(server, options).check(url, 'address').href).toBe(url);
  });

  it.each([
    ['elsewhere', { url: 'https://mcp.example/mcp' }],
    ['elsewhere, by what answered', { url: 'https://10.9.9.9/mcp', address: '93.184.216.34' }],
  ])('is not used if the server is %s (OA-08)', (_, server) => {
    expect(() => createRemote(server, {}).check(url, 'address')).toThrow(
      'only a server that is there itself may name such, unless the option privateAddresses allows it',
    );
  });

  it('is never loopback for a server in the network, and never unassigned', () => {
    const remote = createRemote({ url: 'https://10.9.9.9/mcp' }, {});
    expect(() => remote.check('https://127.0.0.1/', 'address')).toThrow('leads to this machine');
    expect(() => remote.check('https://169.254.169.254/', 'address')).toThrow('leads to an address that is link-local');
    const open = createRemote({ url: 'https://10.9.9.9/mcp' }, { privateAddresses: true });
    expect(() => open.check('https://0.0.0.0/', 'address')).toThrow('unusable');
  });
});

describe('a host name', () => {
  /** Lets every name lead to these addresses, and counts how often that is asked. */
  function leadingTo(...addresses: string[]) {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    return vi
      .spyOn(dns, 'lookup')
      .mockImplementation(((_: string, __: object, done: Function) =>
        done(null, found)) as unknown as typeof dns.lookup);
  }

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['127.0.0.1', 'which is this machine'],
    ['10.0.0.1', 'which is private'],
    ['169.254.169.254', 'which is link-local'],
    ['::ffff:10.0.0.1', 'which is private'],
    ['fd00::1', 'which is private'],
  ])('that resolves to %s is not requested (OA-08)', async (address, where) => {
    leadingTo('93.184.216.34', address);
    const remote = createRemote({ url: 'https://mcp.example/mcp' }, {});
    const rejection = {
      code: 'unsafe_url',
      message: expect.stringContaining(`sso.example leads to ${address}, ${where}`),
    };
    await expect(remote.get('https://sso.example/token')).rejects.toMatchObject(rejection);
    await expect(remote.post('https://sso.example/token', { headers: {}, body: 'code=c' })).rejects.toMatchObject(
      rejection,
    );
    await expect(remote.checkPage('https://sso.example/authorize', 'page')).rejects.toMatchObject(rejection);
  });

  it('is resolved once per request: the checked address is the requested one (OA-08)', async () => {
    const asked = leadingTo('127.0.0.1');
    const remote = createRemote({ url: 'http://localhost:1/mcp' }, { timeoutMs: 1000 });
    await expect(remote.get('https://sso.example:1/token')).rejects.toMatchObject({ code: 'unreachable' });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('is not resolved with a custom fetch; a page with an unknown host is allowed', async () => {
    const asked = leadingTo('10.0.0.1');
    const fetchIt = async (): Promise<Response> => Response.json({ a: 1 });
    const remote = createRemote({ url: 'https://mcp.example/mcp' }, { fetch: fetchIt });
    expect(await remote.get('https://sso.example/token')).toMatchObject({ body: { a: 1 } });
    expect((await remote.checkPage('https://sso.example/a', 'page')).host).toBe('sso.example');
    expect(asked).not.toHaveBeenCalled();
    asked.mockImplementation(((_: string, __: object, done: Function) =>
      done(new Error('ENOTFOUND'))) as unknown as typeof dns.lookup);
    const direct = createRemote({ url: 'https://mcp.example/mcp' }, {});
    expect((await direct.checkPage('https://sso.example/a', 'page')).host).toBe('sso.example');
    await expect(direct.get('https://sso.example/token')).rejects.toMatchObject({ code: 'unreachable' });
  });
});

describe('a response', () => {
  it('that is no JSON object has no body', async () => {
    const origin = await listen(({ path }) => ({ text: decodeURIComponent(path.slice(1)) }));
    const remote = createRemote({ url: origin }, {});
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
    const answer = await createRemote({ url: origin }, {}).post(`${origin}/token`, {
      headers: {},
      body: 'code=secret',
    });
    expect(answer.status).toBe(307);
    expect(seen).toEqual(['/token']);
  });

  it('that is too long is not read to the end', async () => {
    const origin = await listen(() => ({ text: `{"a":"${'a'.repeat(1024 * 1024)}"}` }));
    await expect(createRemote({ url: origin }, {}).get(origin)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('that does not arrive times out', async () => {
    const origin = await listen(() => new Promise(() => {}));
    await expect(createRemote({ url: origin }, { timeoutMs: 50 }).get(origin)).rejects.toMatchObject({
      code: 'unreachable',
      message: `No usable answer from ${origin}/`,
    });
  });
});

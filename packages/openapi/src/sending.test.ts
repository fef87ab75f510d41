import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Logger } from '@ccmcp/core';
import { AuthError, type HttpAuth } from '@ccmcp/core/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectTo, documentOf, operationOf, textOf } from './fixtures/api-client.ts';
import { startApi } from './fixtures/echo-api.ts';
import type { CallerCredentials, OpenApiOptions } from './options.ts';

const securitySchemes = {
  key: { type: 'apiKey', in: 'query', name: 'api_key' },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
  cookieKey: { type: 'apiKey', in: 'cookie', name: 'session' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  oauth: { type: 'oauth2', flows: {} },
};

/** A document whose only operation needs these security schemes. */
function securedBy(security: object[], operation: object = {}): object {
  return { ...operationOf({ security, ...operation }), components: { securitySchemes } };
}

async function receivedBy(security: object[], auth: OpenApiOptions['auth'] & object) {
  const { url, received } = await startApi();
  const { call } = await connectTo(securedBy(security), { baseUrl: url, auth });
  await call();
  return received[0];
}

describe('credentials', () => {
  it.each([
    ['key', 'k&1', { url: '/run?api_key=k%261' }],
    ['headerKey', 'secret', { headers: { 'x-key': 'secret' } }],
    ['cookieKey', 'a;b', { headers: { cookie: 'session=a%3Bb' } }],
    ['bearer', 'token', { headers: { authorization: 'Bearer token' } }],
    ['oauth', 'token', { headers: { authorization: 'Bearer token' } }],
    ['basic', 'me:pässword', { headers: { authorization: `Basic ${Buffer.from('me:pässword').toString('base64')}` } }],
    ['basic', { username: 'me', password: 'p' }, { headers: { authorization: 'Basic bWU6cA==' } }],
  ])('of the scheme %j are sent as it says', async (name, credential, expected) => {
    expect(await receivedBy([{ [name]: [] }], { [name]: credential })).toMatchObject(expected);
  });

  it('are those of the first alternative that is complete', async () => {
    const security = [{ bearer: [], key: [] }, {}, { headerKey: [] }];
    const received = await receivedBy(security, { bearer: 'token', headerKey: 'k' });
    expect(received).toMatchObject({ url: '/run', headers: { 'x-key': 'k' } });
    expect(received?.headers.authorization).toBeUndefined();
  });

  it('may differ from caller to caller, and from call to call', async () => {
    const { url, received } = await startApi();
    let count = 0;
    const auth = vi.fn<CallerCredentials>(async () => ({ bearer: `token-${(count += 1)}` }));
    const { call } = await connectTo(securedBy([{ bearer: [] }]), { baseUrl: url, auth });
    await call();
    await call();
    expect(auth).toHaveBeenCalledWith(undefined);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('are no arguments', async () => {
    const parameters = [
      { name: 'api_key', in: 'query', required: true, schema: {} },
      { name: 'x-key', in: 'header', schema: {} },
      { name: 'a', in: 'query', schema: {} },
    ];
    const { api } = await connectTo(securedBy([{ key: [] }], { parameters }), { baseUrl: 'https://api.example' });
    expect(api.tools.get('run')?.input).toMatchObject({ properties: { a: {} } });
    expect(JSON.stringify(api.tools.get('run')?.input)).not.toContain('key');
  });

  it('that an API repeats are in no result', async () => {
    const { url } = await startApi(({ headers }) => ({ given: headers.authorization }));
    const { call } = await connectTo(securedBy([{ bearer: [] }]), {
      baseUrl: url,
      auth: { bearer: 'top-secret-token' },
    });
    expect(textOf(await call())).toBe('{"given":"Bearer [redacted]"}');
  });

  it('are renewed once by an HttpAuth whose request is rejected', async () => {
    let token = 'old';
    const auth: HttpAuth = {
      headers: async () => ({ Authorization: `Bearer ${token}` }),
      async unauthorized({ status, wwwAuthenticate }) {
        expect({ status, wwwAuthenticate }).toEqual({ status: 401, wwwAuthenticate: 'Bearer' });
        token = 'new';
        return true;
      },
    };
    const { url, received } = await startApi(({ headers }, response) => {
      if (headers.authorization !== 'Bearer new') response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
    });
    for (const given of [auth, { oauth: auth }]) {
      token = 'old';
      const { call } = await connectTo(securedBy([{ oauth: [] }]), { baseUrl: url, auth: given });
      expect((await call()).isError).toBe(false);
    }
    expect(received).toHaveLength(4);
  });
});

describe('a request', () => {
  it('has the headers of the options, which win over arguments', async () => {
    const { url, received } = await startApi();
    const parameters = [{ name: 'X-Version', in: 'header', schema: {} }];
    const { call } = await connectTo(operationOf({ parameters }), {
      baseUrl: url,
      headers: { 'x-version': '2', 'User-Agent': 'test' },
    });
    await call({ 'X-Version': '1' });
    expect(received[0]?.headers).toMatchObject({
      'x-version': '2',
      'user-agent': 'test',
      accept: 'application/json, */*;q=0.1',
    });
  });

  it('asks for the types of the document', async () => {
    const { url, received } = await startApi();
    const responses = { 200: { content: { 'text/csv': {}, 'application/vnd.api+json': {} } } };
    const { call } = await connectTo(operationOf({ responses }), { baseUrl: url });
    await call();
    expect(received[0]?.headers.accept).toBe('application/vnd.api+json, text/csv;q=0.9, */*;q=0.1');
  });

  it.each([
    [
      {
        servers: [
          {
            url: 'https://{region}.example/{version}/',
            variables: { region: { default: 'eu' }, version: { default: 'v1' } },
          },
        ],
      },
      'https://us.example/v1/run',
    ],
    [{ servers: [{ url: '/api' }] }, undefined],
    [{ servers: [{ url: 'ftp://api.example' }] }, undefined],
    [{ servers: [{ url: 'https://user:password@api.example' }] }, undefined],
  ])('goes to the server of the document: %j', async (more, expected) => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{}'));
    const served = connectTo({ ...operationOf({}), ...more }, { fetch, serverVariables: { region: 'us' } });
    if (expected === undefined) return expect(served).rejects.toThrow(/server/);
    await (await served).call();
    expect(fetch.mock.calls.map(([sent]) => (sent as URL).href)).toEqual([expected]);
  });

  it('goes to the nearest of the servers of document, path and operation, unless there is a baseUrl', async () => {
    const paths = {
      '/a': {
        servers: [{ url: 'https://path.example' }],
        get: { operationId: 'a' },
        put: { operationId: 'b', servers: [{ url: 'https://own.example' }] },
      },
    };
    const document = documentOf(paths, { servers: [{ url: 'https://root.example' }] });
    const sent: string[] = [];
    const fetch = (async (url: unknown) => {
      sent.push(String(url));
      return new Response('{}');
    }) as unknown as typeof globalThis.fetch;
    for (const options of [{}, { baseUrl: 'https://base.example/v2' }]) {
      const { call } = await connectTo(document, { fetch, ...options });
      await call({}, 'a');
      await call({}, 'b');
    }
    expect(sent).toEqual([
      'https://path.example/a',
      'https://own.example/a',
      'https://base.example/v2/a',
      'https://base.example/v2/a',
    ]);
  });

  it.each([
    'http://127.0.0.1:1',
    'http://localhost:1',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'http://[::1]:1',
    'http://0.0.0.0:1',
  ])('to %s is refused if the document alone names it', async (url) => {
    const { call } = await connectTo({ ...operationOf({}), servers: [{ url }] });
    expect(textOf(await call())).toMatch(
      /there was no response: .* leads to .*: name it in "baseUrl", or allow "privateAddresses"/,
    );
  });

  it('to this machine is allowed by privateAddresses', async () => {
    const { url, received } = await startApi();
    const requestBody = { content: { 'application/json': { schema: { properties: { a: {} } } } } };
    const document = { ...operationOf({ requestBody }, { method: 'post' }), servers: [{ url }] };
    const { call } = await connectTo(document, { privateAddresses: true });
    expect((await call({ a: 1 })).isError).toBe(false);
    expect(String(received[0]?.body)).toBe('{"a":1}');
  });
});

describe('a redirect', () => {
  it('on the same host is followed, with the body where the status says so', async () => {
    const { url, received } = await startApi(({ url: path }, response) => {
      if (path === '/run') response.writeHead(307, { Location: '/next' }).end();
      if (path === '/next') response.writeHead(303, { Location: '/last?x=1' }).end();
    });
    const requestBody = { content: { 'application/json': { schema: { properties: { a: {} } } } } };
    const { call } = await connectTo(operationOf({ requestBody }, { method: 'post' }), { baseUrl: url });
    expect(textOf(await call({ a: 1 }))).toBe('{"method":"GET","url":"/last?x=1","body":""}');
    const sent = received.map(({ method, body }) => [method, body.toString()]);
    expect(sent).toEqual([
      ['POST', '{"a":1}'],
      ['POST', '{"a":1}'],
      ['GET', ''],
    ]);
  });

  it('to another host is not followed, and gets no credentials', async () => {
    const other = await startApi();
    const { url } = await startApi(
      (_, response) => void response.writeHead(302, { Location: `${other.url}/secret?token=1` }).end(),
    );
    const { call } = await connectTo(securedBy([{ bearer: [] }]), { baseUrl: url, auth: { bearer: 'token' } });
    const result = await call();
    expect(textOf(result)).toContain(`it redirects to ${other.url}, another host, which is not followed`);
    expect(textOf(result)).not.toContain('secret');
    expect(other.received).toEqual([]);
  });

  it('that never ends is given up', async () => {
    const { url, received } = await startApi((_, response) => void response.writeHead(302, { Location: '/run' }).end());
    const { call } = await connectTo(operationOf({}), { baseUrl: url });
    expect(textOf(await call())).toContain('more than 5 redirects');
    expect(received).toHaveLength(6);
  });
});

describe('a failure', () => {
  it.each([
    ['get', 503, 3],
    ['put', 429, 3],
    ['delete', 502, 3],
    ['post', 503, 1],
    ['patch', 429, 1],
    ['get', 500, 1],
    ['get', 404, 1],
  ])('of %s with %i: the request is sent %i times in all', async (method, status, times) => {
    const { url, received } = await startApi(
      (_, response) => void response.writeHead(status, { 'Retry-After': '0' }).end(),
    );
    const { call } = await connectTo(operationOf({}, { method }), { baseUrl: url });
    expect(textOf(await call())).toMatch(new RegExp(`^${method.toUpperCase()} /run: status ${status}`));
    expect(received).toHaveLength(times);
  });

  it('is not retried if the server asks for a long delay', async () => {
    const { url, received } = await startApi(
      (_, response) => void response.writeHead(429, { 'Retry-After': '3600' }).end(),
    );
    const { call } = await connectTo(operationOf({}), { baseUrl: url });
    expect(textOf(await call())).toBe('GET /run: status 429 (Retry-After: 3600)');
    expect(received).toHaveLength(1);
  });

  it('of the connection is an error that names no stack', async () => {
    const closed = createServer((socket) => socket.destroy());
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    onTestFinished(() => void closed.close());
    const baseUrl = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    const { call } = await connectTo(operationOf({}), { baseUrl, retries: 0 });
    expect(textOf(await call())).toMatch(/^GET \/run: there was no response: .{1,200}$/);
  });

  it('of the program itself is not shown to the model', async () => {
    const { url } = await startApi();
    const errors: unknown[] = [];
    const auth = async (): Promise<never> => Promise.reject(new Error('the vault at 10.0.0.1 is closed'));
    const logger: Logger = { level: 'error', write: (entry) => void errors.push(entry) };
    const { call } = await connectTo(securedBy([{ bearer: [] }]), { baseUrl: url, auth, server: { logger } });
    const result = await call();
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('vault');
    expect(errors).not.toEqual([]);
  });

  it('of a sign-in is shown', async () => {
    const auth: HttpAuth = {
      headers: () => Promise.reject(new AuthError('unreachable', 'Sign in first')),
      unauthorized: async () => false,
    };
    const { call } = await connectTo(operationOf({}), { baseUrl: 'https://api.example', auth });
    expect(textOf(await call())).toBe('GET /run: there was no response: Sign in first');
  });

  it('of the client, which cancels, ends the request', async () => {
    const events = new EventEmitter();
    const [begun, closed] = [once(events, 'begun'), once(events, 'closed')];
    const { url } = await startApi((_, response) => {
      response.on('close', () => events.emit('closed'));
      response.flushHeaders();
      events.emit('begun');
    });
    const { client } = await connectTo(operationOf({}), { baseUrl: url });
    const controller = new AbortController();
    const call = client.callTool('run', {}, { signal: controller.signal }).catch(() => 'cancelled');
    await begun;
    controller.abort();
    expect(await call).toBe('cancelled');
    await closed;
  });
});

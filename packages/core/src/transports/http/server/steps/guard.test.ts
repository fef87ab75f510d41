import { once } from 'node:events';
import { type IncomingMessage, request as nodeRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { apiKey } from '../../../../auth/server/api-key.ts';
import { initializeRequest } from '../fixtures/client.ts';
import { start } from '../fixtures/start.ts';

interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends a request with headers that `fetch` would reject. */
async function send(url: string, headers: Record<string, string>, method = 'POST'): Promise<Answer> {
  const request = nodeRequest(url, { method, headers: { 'Content-Type': 'application/json', ...headers } });
  request.end(method === 'POST' ? JSON.stringify(initializeRequest()) : undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

const strangeHosts = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  'evil.example.localhost',
  'localhost.',
  '127.0.0.1.evil.example',
  '127.0.0.1.',
  '127.1',
  '127.0.0.2',
  '0.0.0.0',
  '2130706433',
  '0x7f.0.0.1',
  '[::ffff:127.0.0.1]',
  '::1',
  '[::1].evil.example',
  'localhost@evil.example',
  'evil.example#localhost',
  'localhost:80:80',
  'localhost:evil',
  'localhost:',
  'localhost, evil.example',
  ' ',
];

const strangeOrigins = [
  'http://evil.example',
  'null',
  '',
  'http://localhost.evil.example',
  'http://evil.example/localhost',
  'http://localhost@evil.example',
  'http://localhost:80@evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil-localhost',
  'http://localhost:3000/',
  'http://localhost:3000/path',
  'http://localhost:evil',
  'localhost',
  'file://',
  'ftp://localhost',
  'javascript://localhost',
  'chrome-extension://localhost',
  'http://[::1',
  'http://localhost, http://localhost',
  'http://127.0.0.1\t',
  '*',
];

describe('a cross-origin request', () => {
  it.each(strangeHosts)('is rejected for its Host: %j (HT-01, HT-05)', async (host) => {
    const { url } = await start();
    const { status, body } = await send(url, { Host: host });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32600, message: expect.stringMatching(/allowHosts/) } });
  });

  it.each(strangeOrigins)('is rejected for its Origin: %j (HT-02, HT-03, HT-04, S-H-02)', async (origin) => {
    const { url } = await start();
    const { status, headers } = await send(url, { Origin: origin });
    // Node trims header values.
    expect(status).toBe(origin.trim() === 'http://127.0.0.1' ? 200 : 403);
    if (status === 403) {
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('www-authenticate');
    }
  });

  it('is rejected with every method and on every path (HT-09, S-X-02)', async () => {
    const { url } = await start({ sse: true });
    const base = new URL(url).origin;
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'HEAD', 'PUT']) {
      for (const path of ['/mcp', '/sse', '/messages', '/other']) {
        const { status, headers } = await send(base + path, { Origin: 'http://evil.example' }, method);
        expect(status).toBe(403);
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
  });
});

describe('the rejection of a cross-origin request', () => {
  it('quotes the header, up to 100 characters, and names the option that allows it', async () => {
    const { url } = await start();
    const long = `${'x'.repeat(100)}y`;
    const message = async (headers: Record<string, string>): Promise<string> =>
      JSON.parse((await send(url, headers)).body).error.message;
    expect(await message({ Host: long })).toBe(
      `Host not allowed: "${'x'.repeat(100)}". Add it with the allowHosts option (--allow-host)`,
    );
    expect(await message({ Origin: 'http://evil.example' })).toBe(
      'Origin not allowed: "http://evil.example". Add it with the allowOrigins option (--allow-origin)',
    );
  });

  it('is not cached between requests', async () => {
    const { url } = await start();
    for (const [host, status] of [
      ['evil.example', 403],
      ['localhost', 200],
      ['evil.example', 403],
      ['localhost', 200],
    ] as const) {
      expect((await send(url, { Host: host })).status).toBe(status);
    }
  });
});

describe('a local request', () => {
  it.each(['localhost', 'localhost:1234', 'LOCALHOST', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:8080'])(
    'is served under %s',
    async (host) => {
      const { url } = await start();
      expect((await send(url, { Host: host })).status).toBe(200);
    },
  );

  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://127.0.0.1:8443',
    'http://[::1]:80',
    'HTTP://LOCALHOST',
  ])('is served to a page of %s (trap 8.36)', async (origin) => {
    const { url } = await start();
    const { status, headers } = await send(url, { Origin: origin });
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, origin, 'Origin']);
  });

  it('is served without an Origin, and gets no CORS headers (HT-06)', async () => {
    const { url } = await start();
    const { status, headers } = await send(url, {});
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the allowed hosts and origins', () => {
  it('match hosts, with a port or with any', async () => {
    const { url } = await start({ allowHosts: ['mcp.example', 'other.example:8080'] });
    expect((await send(url, { Host: 'MCP.example:443' })).status).toBe(200);
    expect((await send(url, { Host: 'mcp.example' })).status).toBe(200);
    expect((await send(url, { Host: 'other.example:8080' })).status).toBe(200);
    expect((await send(url, { Host: 'other.example' })).status).toBe(403);
    expect((await send(url, { Host: 'other.example:80' })).status).toBe(403);
    expect((await send(url, { Host: 'sub.mcp.example' })).status).toBe(403);
  });

  it('match origins, exactly or all', async () => {
    const { url } = await start({ allowOrigins: ['https://app.example/'] });
    expect((await send(url, { Origin: 'https://app.example' })).status).toBe(200);
    for (const origin of ['http://app.example', 'https://app.example:8443', 'https://sub.app.example']) {
      expect((await send(url, { Origin: origin })).status).toBe(403);
    }
    const { url: open } = await start({ allowOrigins: ['*'], allowHosts: ['*'] });
    const { status, headers } = await send(open, { Origin: 'https://any.example', Host: 'any.example' });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, 'https://any.example']);
  });
});

describe('a browser of an allowed origin', () => {
  const origin = 'https://app.example';

  it('gets a preflight response with allowed methods and headers', async () => {
    const { url } = await start({ allowOrigins: [origin], auth: apiKey({ keys: ['k'], header: 'X-Key' }) });
    const asked =
      'content-type,mcp-session-id, MCP-Protocol-Version,last-event-id,mcp-method,mcp-name,mcp-param-region,authorization,x-key,cookie,x-evil,mcp-param-,mcp-param-a b,mcp-param-a(b,x-mcp-param-a,accept';
    const { status, headers, body } = await send(
      url,
      {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': asked,
      },
      'OPTIONS',
    );
    expect([status, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(headers['access-control-allow-headers']).split(', ').sort()).toEqual(
      [
        'accept',
        'authorization',
        'content-type',
        'last-event-id',
        'mcp-method',
        'mcp-name',
        'mcp-param-a',
        'mcp-param-region',
        'mcp-protocol-version',
        'mcp-session-id',
        'x-key',
      ].sort(),
    );
  });

  it('may read the exposed headers of responses, also of rejections', async () => {
    const { url } = await start({ allowOrigins: [origin], auth: apiKey({ keys: ['k'] }) });
    for (const key of ['k', 'wrong']) {
      const { status, headers } = await send(url, { Origin: origin, 'X-Api-Key': key });
      expect(status).toBe(key === 'k' ? 200 : 401);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(String(headers['access-control-expose-headers']).split(', ')).toEqual([
        'Mcp-Session-Id',
        'MCP-Protocol-Version',
        'WWW-Authenticate',
        'DPoP-Nonce',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
      ]);
    }
  });
});

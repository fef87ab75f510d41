import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { start } from '../fixtures/start.ts';

const page = {
  path: '/hello',
  get: ({ query, header }: { query: URLSearchParams; header: (name: string) => string | undefined }) => ({
    status: 200,
    headers: { 'Content-Type': 'text/plain' },
    body: `${query.get('name')} ${header('cookie')}`,
  }),
};

describe('a page beside the endpoint', () => {
  it('is served to anyone, with headers against caching and embedding', async () => {
    const { url } = await start({ pages: [page], auth: { authenticate: () => undefined } });
    const at = new URL('/hello?name=ann', url);
    const response = await fetch(at, { headers: { cookie: 'a=b' } });
    expect([response.status, await response.text()]).toEqual([200, 'ann a=b']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await fetch(at, { method: 'POST' })).status).toBe(405);
    expect((await fetch(new URL('/other', url))).status).toBe(404);
  });

  it('is not served under a foreign host name', async () => {
    const { url } = await start({ pages: [page] });
    const status = await new Promise((resolve) => {
      request(new URL('/hello', url), { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.resume().statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });
});

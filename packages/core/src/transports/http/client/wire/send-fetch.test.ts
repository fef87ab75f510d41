import { describe, expect, it } from 'vitest';
import { sendByFetch } from './sender.ts';

const { signal } = new AbortController();

describe('a request with fetch', () => {
  it('returns the response, and does not follow redirects', async () => {
    const asked: unknown[] = [];
    const send = sendByFetch((async (url: URL, init: object) => {
      asked.push([url.href, init]);
      return new Response('body', { status: 418, statusText: 'Teapot', headers: { 'x-own': '1' } });
    }) as typeof fetch);
    const outgoing = { method: 'POST', headers: { a: 'b' }, body: 'x', signal } as const;
    const response = await send(new URL('http://a.example/'), outgoing);
    expect(asked).toEqual([['http://a.example/', { ...outgoing, redirect: 'manual' }]]);
    expect([response.status, response.statusText]).toEqual([418, 'Teapot']);
    expect([response.header('x-own'), response.header('x-none')]).toEqual(['1', undefined]);
    expect(await response.text(10)).toBe('body');
  });

  it('may have no body, and can discard one', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      cancel() {
        isCancelled = true;
      },
    });
    const answers = [new Response(null, { status: 202 }), new Response(null, { status: 202 }), new Response(body)];
    const send = sendByFetch((async () => answers.shift()) as unknown as typeof fetch);
    const request = (): ReturnType<typeof send> =>
      send(new URL('http://a.example/'), { method: 'GET', headers: {}, signal });
    expect(await (await request()).text(10)).toBe('');
    (await request()).discard();
    (await request()).discard();
    expect(isCancelled).toBe(true);
  });
});

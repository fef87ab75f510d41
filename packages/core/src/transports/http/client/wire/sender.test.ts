import { describe, expect, it } from 'vitest';
import { createSender, type HttpClientOptions, displayUrl, toConnectionError } from './sender.ts';

const url = new URL('http://a.example/mcp?key=secret');
const { signal } = new AbortController();

type Answer = Response | Error;

/** Sends one request to a network with this response, and returns the requests it got. */
async function send(
  answers: Answer[],
  options: HttpClientOptions = {},
): Promise<{ asked: [string, Record<string, string>][]; outcome: unknown }> {
  const asked: [string, Record<string, string>][] = [];
  const network = async (to: URL, { headers }: { headers: Record<string, string> }): Promise<Response> => {
    asked.push([to.href, headers]);
    const answer = answers[asked.length - 1] ?? new Response('ok');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const sender = createSender({ ...options, fetch: network as unknown as typeof fetch });
  const outcome = await sender(url, { method: 'POST', headers: { accept: 'x' }, signal }).catch(
    (error: unknown) => error,
  );
  return { asked, outcome };
}

const moved = (location: string, status = 307): Response => new Response(null, { status, headers: { location } });

describe('a sent request', () => {
  it('has its own headers over those of the options, and credentials over both', async () => {
    const auth = { headers: async () => ({ authorization: 'Bearer a', accept: 'z' }), unauthorized: async () => false };
    const { asked } = await send([], { headers: { 'x-own': '1', accept: 'y' }, auth });
    expect(asked).toEqual([[url.href, { 'x-own': '1', accept: 'z', authorization: 'Bearer a' }]]);
    const made = await send([], { headers: async () => ({ 'x-own': '2', accept: 'y' }) });
    expect(made.asked[0]?.[1]).toEqual({ 'x-own': '2', accept: 'x' });
  });

  it('is retried with renewed credentials, at most three times', async () => {
    const rejected = (): Response => new Response(null, { status: 401 });
    const rejections: object[] = [];
    const auth = (gives: boolean): HttpClientOptions => ({
      auth: {
        headers: async () => ({ authorization: `Bearer ${rejections.length}` }),
        unauthorized: async (response: object) => {
          rejections.push(response);
          return gives;
        },
      },
    });
    const tried = await send([rejected(), rejected(), rejected(), rejected()], auth(true));
    expect(tried.asked).toHaveLength(3);
    expect(tried.outcome).toMatchObject({ status: 401 });
    expect(rejections).toHaveLength(2);
    rejections.length = 0;
    const once = await send([rejected(), rejected()], auth(false));
    expect(once.asked).toHaveLength(1);
    expect(rejections).toMatchObject([{ status: 401, url: url.href, sent: { authorization: 'Bearer 0' } }]);
  });

  it.each([
    [
      'a 403 for want of scope',
      { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
      2,
    ],
    ['any other 403', { status: 403, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }, 1],
    ['a bare 403', { status: 403 }, 1],
    ['a 400 that names a scope', { status: 400, headers: { 'www-authenticate': 'insufficient_scope' } }, 1],
  ])('is sent again after %s or not', async (_, init, times) => {
    const auth = { headers: async () => ({}), unauthorized: async () => true };
    expect((await send([new Response(null, init)], { auth })).asked).toHaveLength(times);
  });

  it('passes the challenge to the auth provider', async () => {
    const rejections: object[] = [];
    const auth = {
      headers: async () => ({}),
      unauthorized: async (response: object) => {
        rejections.push(response);
        return false;
      },
    };
    await send([new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer x', 'dpop-nonce': 'n1' } })], {
      auth,
    });
    expect(rejections).toMatchObject([{ status: 401, wwwAuthenticate: 'Bearer x', dpopNonce: 'n1' }]);
  });
});

describe('a redirect', () => {
  it.each([300, 301, 302, 303, 307, 308, 399])('with %i is followed within the origin', async (status) => {
    const { asked, outcome } = await send([moved('/other', status)]);
    expect(asked.map(([to]) => to)).toEqual([url.href, 'http://a.example/other']);
    expect(outcome).toMatchObject({ status: 200 });
  });

  it('is followed at most three times', async () => {
    const three = await send([moved('/1'), moved('/2'), moved('/3')]);
    expect(three.outcome).toMatchObject({ status: 200 });
    const four = await send([moved('/1'), moved('/2'), moved('/3'), moved('/4')]);
    expect(four.asked).toHaveLength(4);
    expect(four.outcome).toMatchObject({
      name: 'HttpError',
      status: 307,
      message: 'http://a.example/mcp redirects to http://a.example/4: connect there if you trust it',
    });
  });

  it('is never followed to another origin', async () => {
    const { asked, outcome } = await send([moved('https://a.example/mcp?key=secret')]);
    expect(asked).toHaveLength(1);
    expect((outcome as Error).message).toBe(
      'http://a.example/mcp redirects to https://a.example/mcp: connect there if you trust it',
    );
  });

  it.each([
    ['one without an address', new Response(null, { status: 302 })],
    ['an address without a redirect', new Response('ok', { status: 201, headers: { location: '/x' } })],
    ['a rejection with an address', new Response('no', { status: 400, headers: { location: '/x' } })],
  ])('is not %s', async (_, answer) => {
    const { asked, outcome } = await send([answer]);
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({ status: answer.status });
  });
});

describe('a network failure', () => {
  it('is reported with its cause and without secrets', async () => {
    const { outcome } = await send([
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
    ]);
    expect(outcome).toMatchObject({
      name: 'ConnectionError',
      message: 'No connection to http://a.example/mcp: ECONNRESET',
    });
    const text = (error: Error): string =>
      toConnectionError(url, error).message.replace('No connection to http://a.example/mcp: ', '');
    expect(text(Object.assign(new Error('a'), { code: 'EPIPE', cause: new Error('b') }))).toBe('EPIPE');
    expect(text(new Error('a', { cause: new Error('b') }))).toBe('b');
    expect(text(new Error('a'))).toBe('a');
    expect(toConnectionError(url, 'odd')).toBeInstanceOf(Error);
    expect(displayUrl(url)).toBe('http://a.example/mcp');
  });
});

it('while credentials are renewed discards the response', async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    cancel() {
      isCancelled = true;
    },
  });
  const auth = {
    headers: () => Promise.resolve({}),
    unauthorized: () => Promise.reject(new Error('Sign in again')),
  };
  const { outcome } = await send([new Response(body, { status: 401 })], { auth });
  expect(outcome).toEqual(new Error('Sign in again'));
  expect(isCancelled).toBe(true);
});

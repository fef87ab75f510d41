import { describe, expect, it } from 'vitest';
import { connectTo, documentOf, operationOf } from './fixtures/api-client.ts';
import { startApi } from './fixtures/echo-api.ts';

const colors = ['blue', 'black'];
const rgb = { R: 100, G: 200 };

/** The path, query and headers of a call with one parameter, `p`. */
async function sent(parameter: object, p: unknown): Promise<{ url: string; headers: Record<string, unknown> }> {
  const { url, received } = await startApi();
  const path = (parameter as { in: string }).in === 'path' ? '/run/{p}' : '/run';
  const { call } = await connectTo(operationOf({ parameters: [{ name: 'p', ...parameter }] }, { path }), {
    baseUrl: url,
  });
  const result = await call({ p });
  expect(result).toMatchObject({ isError: false });
  return received[0] as { url: string; headers: Record<string, unknown> };
}

describe('a parameter of the path', () => {
  it.each([
    [{}, 'a b/c?d#e', '/run/a%20b%2Fc%3Fd%23e'],
    [{}, colors, '/run/blue,black'],
    [{}, rgb, '/run/R,100,G,200'],
    [{ explode: true }, rgb, '/run/R=100,G=200'],
    [{ style: 'label' }, 'blue', '/run/.blue'],
    [{ style: 'label' }, colors, '/run/.blue,black'],
    [{ style: 'label', explode: true }, colors, '/run/.blue.black'],
    [{ style: 'label', explode: true }, rgb, '/run/.R=100.G=200'],
    [{ style: 'matrix' }, 'blue', '/run/;p=blue'],
    [{ style: 'matrix' }, colors, '/run/;p=blue,black'],
    [{ style: 'matrix', explode: true }, colors, '/run/;p=blue;p=black'],
    [{ style: 'matrix', explode: true }, rgb, '/run/;R=100;G=200'],
    [{ content: { 'application/json': { schema: {} } } }, rgb, '/run/%7B%22R%22%3A100%2C%22G%22%3A200%7D'],
  ])('with %j and %j is written as the specification says', async (options, value, path) => {
    expect((await sent({ in: 'path', required: true, schema: {}, ...options }, value)).url).toBe(path);
  });

  it.each([
    '..',
    '.',
    '../admin',
    'a/../../admin',
    'a\\..\\b',
    '%2e%2e',
    '%2e%2e%2fadmin',
    '%252e%252e',
    'https://evil.example/x',
    '//evil.example',
    'file:///etc/passwd',
    '',
  ])('is refused if it could lead elsewhere: %j', async (p) => {
    const { url, received } = await startApi();
    const document = operationOf(
      { parameters: [{ name: 'p', in: 'path', schema: { type: 'string' } }] },
      { path: '/run/{p}' },
    );
    const { call } = await connectTo(document, { baseUrl: `${url}/v1` });
    expect(await call({ p })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^"p" must /) }],
    });
    expect(received).toEqual([]);
  });

  it('may have dots that are a part of a name', async () => {
    expect((await sent({ in: 'path', schema: {} }, 'v1..2/a.b')).url).toBe('/run/v1..2%2Fa.b');
  });

  it('that nobody declares is a required text', async () => {
    const { url, received } = await startApi();
    const { call, api } = await connectTo(operationOf({}, { path: '/run/{p}/x' }), { baseUrl: url });
    await call({ p: 'a' });
    expect(received[0]?.url).toBe('/run/a/x');
    expect(api.tools.get('run')?.input).toMatchObject({ required: ['p'], properties: { p: { type: 'string' } } });
  });
});

describe('a parameter of the query', () => {
  it.each([
    [{}, 'a&b=c', '/run?p=a%26b%3Dc'],
    [{}, colors, '/run?p=blue&p=black'],
    [{ explode: false }, colors, '/run?p=blue,black'],
    [{}, rgb, '/run?R=100&G=200'],
    [{ explode: false }, rgb, '/run?p=R,100,G,200'],
    [{ style: 'spaceDelimited', explode: false }, colors, '/run?p=blue%20black'],
    [{ style: 'pipeDelimited', explode: false }, colors, '/run?p=blue%7Cblack'],
    [{ style: 'deepObject', explode: true }, rgb, '/run?p[R]=100&p[G]=200'],
    [{ style: 'deepObject', explode: true }, { a: { b: ['x', 'y'] } }, '/run?p[a][b][0]=x&p[a][b][1]=y'],
    [{ allowReserved: true }, '/a:b,c', '/run?p=/a:b,c'],
    [{ allowReserved: true }, 'a&b#c', '/run?p=a%26b%23c'],
    [{ content: { 'application/json': { schema: {} } } }, rgb, '/run?p=%7B%22R%22%3A100%2C%22G%22%3A200%7D'],
    [{}, false, '/run?p=false'],
    [{}, [], '/run'],
    [{}, 'half \ud800', '/run?p=half%20%EF%BF%BD'],
  ])('with %j and %j is written as the specification says', async (options, value, path) => {
    expect((await sent({ in: 'query', schema: {}, ...options }, value)).url).toBe(path);
  });

  it('may be the whole query', async () => {
    expect(
      (await sent({ in: 'querystring', content: { 'application/x-www-form-urlencoded': { schema: {} } } }, rgb)).url,
    ).toBe('/run?R=100&G=200');
  });
});

describe('a header', () => {
  it.each([
    [{}, 'blue', 'blue'],
    [{}, colors, 'blue,black'],
    [{}, rgb, 'R,100,G,200'],
    [{ explode: true }, rgb, 'R=100,G=200'],
  ])('with %j and %j is written as the specification says', async (options, value, text) => {
    expect((await sent({ in: 'header', schema: {}, ...options }, value)).headers.p).toBe(text);
  });

  it('can have no second line', async () => {
    const { url, received } = await startApi();
    const { call } = await connectTo(operationOf({ parameters: [{ name: 'X-A', in: 'header', schema: {} }] }), {
      baseUrl: url,
    });
    expect(await call({ 'X-A': 'a\r\nHost: evil' })).toMatchObject({ isError: true });
    expect(received).toEqual([]);
  });

  it('of the connection, or of credentials, is no argument', async () => {
    const names = [
      'Host',
      'content-length',
      'Authorization',
      'Cookie',
      'Content-Type',
      'Accept',
      'Proxy-Authorization',
    ];
    const parameters = names.map((name) => ({ name, in: 'header', schema: {} }));
    const { api } = await connectTo(operationOf({ parameters }), { baseUrl: 'https://api.example' });
    expect(api.tools.get('run')?.input).toEqual({ type: 'object', additionalProperties: false });
  });
});

describe('a cookie', () => {
  it('is written with others', async () => {
    const { url, received } = await startApi();
    const parameters = [
      { name: 'a', in: 'cookie', schema: {} },
      { name: 'b', in: 'cookie', schema: {} },
    ];
    const { call } = await connectTo(operationOf({ parameters }), { baseUrl: url });
    await call({ a: 'x; y', b: 2 });
    expect(received[0]?.headers.cookie).toBe('a=x%3B%20y; b=2');
  });
});

describe('the arguments', () => {
  it('of all places have names of their own, whatever their order', async () => {
    const parameters = ['cookie', 'header', 'query', 'path'].map((place) => ({ name: 'id', in: place, schema: {} }));
    const requestBody = {
      content: { 'application/json': { schema: { properties: { id: {}, 'a b': {}, __proto__x: {} } } } },
    };
    const { url, received } = await startApi();
    const document = operationOf({ parameters, requestBody }, { path: '/run/{id}', method: 'post' });
    const { call, api } = await connectTo(document, { baseUrl: url });
    const names = ['id', 'id_query', 'id_header', 'id_cookie', 'id_body', 'a_b', '__proto__x'];
    const input = api.tools.get('run')?.input as { properties: object };

    expect(Object.keys(input.properties)).toEqual(names);
    await call({ id: 1, id_query: 2, id_header: 3, id_cookie: 4, id_body: 5, a_b: 6 });
    expect(received[0]).toMatchObject({ url: '/run/1?id=2', headers: { id: '3', cookie: 'id=4' } });
    expect(JSON.parse(String(received[0]?.body))).toEqual({ id: 5, 'a b': 6 });
  });

  it('have at most 64 characters, however many want the same name', async () => {
    const names = Array.from({ length: 3000 }, (_, at) => `${'x'.repeat(100)}${at}`);
    const parameters = [...names, 'a', 'a ', 'a?'].map((name) => ({ name, in: 'query', schema: {} }));
    const { api } = await connectTo(operationOf({ parameters }), { baseUrl: 'https://api.example' });
    const input = api.tools.get('run')?.input as { properties: object };
    const given = Object.keys(input.properties);

    expect(new Set(given).size).toBe(3003);
    expect(given.filter((name) => name.length > 64)).toEqual([]);
    expect(given.slice(-3)).toEqual(['a', 'a_query', 'a_query_2']);
  });

  it('include parameters of the path item, which the operation replaces', async () => {
    const shared = { name: 'a', in: 'query', schema: { type: 'string' } };
    const own = { name: 'a', in: 'query', schema: { type: 'integer' } };
    const { api } = await connectTo(
      documentOf({
        '/x': { parameters: [shared, { ...shared, name: 'b' }], get: { operationId: 'run', parameters: [own] } },
      }),
      { baseUrl: 'https://api.example' },
    );
    expect(api.tools.get('run')?.input).toMatchObject({
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      additionalProperties: false,
    });
  });

  it('are validated before anything is sent', async () => {
    const { url, received } = await startApi();
    const parameters = [{ name: 'n', in: 'query', required: true, schema: { type: 'integer', maximum: 5 } }];
    const { call } = await connectTo(operationOf({ parameters }), { baseUrl: url });
    expect(await call({ n: 6 })).toMatchObject({ isError: true });
    expect(await call({})).toMatchObject({ isError: true });
    expect(await call({ n: 1, other: 2 })).toMatchObject({ isError: true });
    expect(received).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { connectTo, operationOf } from './fixtures/api-client.ts';
import { startApi } from './fixtures/echo-api.ts';

/** The content type and the text of the body of a call. */
async function sent(type: string, media: object, args: object): Promise<{ type: string; body: string }> {
  const { url, received } = await startApi();
  const requestBody = { required: true, content: { [type]: media } };
  const { call } = await connectTo(operationOf({ requestBody }, { method: 'post' }), { baseUrl: url });
  const result = await call(args);
  expect(result).toMatchObject({ isError: false });
  return { type: String(received[0]?.headers['content-type']), body: String(received[0]?.body) };
}

const object = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array' }, owner: { type: 'object' } },
};

describe('a body of JSON', () => {
  it('is made of its members', async () => {
    const { type, body } = await sent('application/json', { schema: object }, { name: 'Rex', owner: { id: 1 } });
    expect(type).toBe('application/json');
    expect(body).toBe('{"name":"Rex","owner":{"id":1}}');
  });

  it.each([
    ['a list', { type: 'array' }, [1, 2]],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, { a: 1 }],
    ['a choice', { oneOf: [object, { type: 'string' }] }, 'x'],
    ['an object with others', { ...object, additionalProperties: true }, { name: 'a', more: 1 }],
  ])('is one argument if it is %s', async (_, schema, body) => {
    expect((await sent('application/json', { schema }, { body })).body).toBe(JSON.stringify(body));
  });

  it('is made of the members of all parts of allOf', async () => {
    const schema = { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { b: { type: 'integer' } } }] };
    const { url, received } = await startApi();
    const document = {
      ...operationOf({ requestBody: { content: { 'application/json': { schema } } } }, { method: 'post' }),
      components: {
        schemas: { Base: { type: 'object', required: ['a'], properties: { a: {}, id: { readOnly: true } } } },
      },
    };
    const { call, api } = await connectTo(document, { baseUrl: url });
    await call({ a: 1, b: 2 });
    expect(String(received[0]?.body)).toBe('{"a":1,"b":2}');
    expect(api.tools.get('run')?.input).toEqual({
      type: 'object',
      properties: { a: {}, b: { type: 'integer' } },
      additionalProperties: false,
    });
  });

  it('may have a member __proto__', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    ) as object;
    const { body } = await sent('application/json', { schema }, { proto: 'a', constructor: 'b' });
    expect(body).toBe('{"__proto__":"a","constructor":"b"}');
  });

  it('that is required and empty is an empty object, one that is optional is none', async () => {
    expect((await sent('application/json', { schema: object }, {})).body).toBe('{}');
    const { url, received } = await startApi();
    const requestBody = { content: { 'application/json': { schema: { ...object, required: ['name'] } } } };
    const { call } = await connectTo(operationOf({ requestBody }, { method: 'post' }), { baseUrl: url });
    await call();
    expect(received[0]?.headers['content-type']).toBeUndefined();
    expect(String(received[0]?.body)).toBe('');
  });

  it('of the best of several types is sent', async () => {
    const { url, received } = await startApi();
    const content = {
      'text/plain': {},
      'application/json-patch+json': {},
      'Application/JSON; charset=utf-8': { schema: object },
    };
    const { call } = await connectTo(operationOf({ requestBody: { content } }, { method: 'patch' }), { baseUrl: url });
    await call({ name: 'a' });
    expect(received[0]?.headers['content-type']).toBe('application/json');
  });
});

describe('a form', () => {
  const type = 'application/x-www-form-urlencoded';

  it('has lists as repeated members, and objects as JSON', async () => {
    const args = { name: 'a&b', tags: [1, 2], owner: { id: 1 } };
    const { body, type: sentType } = await sent(type, { schema: object }, args);
    expect(sentType).toBe(type);
    expect(body).toBe('name=a%26b&tags=1&tags=2&owner=%7B%22id%22%3A1%7D');
  });

  it('follows its encoding', async () => {
    const encoding = { owner: { style: 'deepObject', explode: true }, tags: { style: 'form', explode: false } };
    const { body } = await sent(type, { schema: object, encoding }, { tags: ['x', 'y'], owner: { id: { a: 1 } } });
    expect(body).toBe('tags=x,y&owner[id][a]=1');
  });
});

describe('a multipart body', () => {
  const binary = { type: 'string', format: 'binary' };
  const schema = {
    type: 'object',
    properties: {
      note: { type: 'string' },
      meta: { type: 'object' },
      file: binary,
      files: { type: 'array', items: binary },
    },
  };

  it('has texts, JSON and files', async () => {
    const args = {
      note: 'hi',
      meta: { a: 1 },
      file: { text: 'content', filename: 'a"\r\nb.txt', mimeType: 'text/plain' },
      files: [{ base64: 'AAEC' }, { text: 'two' }],
    };
    const { type, body } = await sent('multipart/form-data', { schema }, args);
    const boundary = type.replace('multipart/form-data; boundary=', '');
    const parts = body.split(`--${boundary}`).map((part) => part.trim());
    expect(parts).toEqual([
      '',
      'Content-Disposition: form-data; name="note"\r\n\r\nhi',
      'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}',
      'Content-Disposition: form-data; name="file"; filename="a%22%0D%0Ab.txt"\r\nContent-Type: text/plain\r\n\r\ncontent',
      'Content-Disposition: form-data; name="files"; filename="files"\r\nContent-Type: application/octet-stream\r\n\r\n\u0000\u0001\u0002',
      'Content-Disposition: form-data; name="files"; filename="files"\r\nContent-Type: application/octet-stream\r\n\r\ntwo',
      '--',
    ]);
  });

  it('with a file that is no base64 is refused', async () => {
    const { url, received } = await startApi();
    const requestBody = { content: { 'multipart/form-data': { schema } } };
    const { call } = await connectTo(operationOf({ requestBody }, { method: 'post' }), { baseUrl: url });
    expect(await call({ file: { base64: '***' } })).toMatchObject({ isError: true });
    expect(received).toEqual([]);
  });
});

describe('another body', () => {
  it('of text is one argument', async () => {
    expect(await sent('text/csv', { schema: { type: 'string' } }, { body: 'a,b' })).toEqual({
      type: 'text/csv',
      body: 'a,b',
    });
  });

  it('of bytes is a file', async () => {
    const body = { base64: 'AAEC', mimeType: 'image/png' };
    expect(await sent('application/octet-stream', {}, { body })).toEqual({
      type: 'image/png',
      body: '\u0000\u0001\u0002',
    });
    expect(await sent('application/zip', {}, { body })).toEqual({
      type: 'application/zip',
      body: '\u0000\u0001\u0002',
    });
  });
});

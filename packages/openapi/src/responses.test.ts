import { describe, expect, it } from 'vitest';
import { connectTo, documentOf, operationOf, textOf } from './fixtures/api-client.ts';
import { type Received, startApi } from './fixtures/echo-api.ts';
import type { OpenApiOptions } from './options.ts';
import type { ServerResponse } from 'node:http';

type Answer = (received: Received, response: ServerResponse) => unknown;

/** Calls an operation without arguments, whose API answers so. */
async function run(
  answer: Answer,
  { operation = {}, options = {} }: { operation?: object; options?: OpenApiOptions } = {},
) {
  const { url, received } = await startApi(answer);
  const { call } = await connectTo(operationOf(operation), { baseUrl: url, ...options });
  return { result: await call(), received };
}

/** Answers with a body of a type. */
function of(type: string, body: string | Uint8Array, status = 200): Answer {
  return (_, response) => void response.writeHead(status, type === '' ? {} : { 'Content-Type': type }).end(body);
}

const pet = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, kind: { enum: ['cat', 'dog'] }, secret: { type: 'string', writeOnly: true } },
};

function returning(schema: object): object {
  return { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } };
}

describe('the result of a call', () => {
  it.each([
    ['application/json', '{\n  "a": [1, 2]\n}', '{"a":[1,2]}'],
    ['application/problem+json; charset=utf-8', '[1]', '[1]'],
    ['application/json', '{ "id": 12345678901234567890 }', '{ "id": 12345678901234567890 }'],
    ['application/json', 'no JSON', 'no JSON'],
    ['text/html', '<p>Hi</p>', '<p>Hi</p>'],
    ['application/xml', '<a/>', '<a/>'],
    ['', '{"a":1}', '{"a":1}'],
    ['', 'plain', 'plain'],
  ])('of the type %j is the text of its body', async (type, body, text) => {
    expect((await run(of(type, body))).result).toEqual({ content: [{ type: 'text', text }], isError: false });
  });

  it('is decoded from the encoding of its text', async () => {
    const latin = of('text/plain; charset="iso-8859-1"', new Uint8Array([0xe4]));
    expect(textOf((await run(latin)).result)).toBe('ä');
    expect(textOf((await run(of('text/plain; charset=nothing', 'ä'))).result)).toBe('ä');
  });

  it('without content is its status', async () => {
    expect(textOf((await run((_, response) => void response.writeHead(204).end())).result)).toBe('204, no content');
  });

  it.each([
    ['image/png', { type: 'image', data: 'AAH/', mimeType: 'image/png' }],
    ['audio/mpeg', { type: 'audio', data: 'AAH/', mimeType: 'audio/mpeg' }],
    ['application/pdf', { type: 'resource', resource: { blob: 'AAH/', mimeType: 'application/pdf' } }],
    ['', { type: 'resource', resource: { blob: 'AAH/', mimeType: 'application/octet-stream' } }],
  ])('of bytes of the type %j is a block of its kind', async (type, block) => {
    expect((await run(of(type, new Uint8Array([0, 1, 255])))).result).toMatchObject({ content: [block] });
  });

  it.each([400, 401, 404, 422, 500])('with the status %i is an error with status and body', async (status) => {
    const { result } = await run(of('application/json', '{"message":"no such pet"}', status));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(`GET /run: status ${status}\n{"message":"no such pet"}`);
  });

  it('that is a page of HTML is an error without its markup, and is not long', async () => {
    const page = `<html><style>p {}</style><script>alert(1)</script><p>Bad gateway</p>${'x'.repeat(100_000)}</html>`;
    const { result } = await run(of('text/html', page, 500));
    expect(textOf(result)).toMatch(/^GET \/run: status 500\nBad gateway x+… \(\d+ characters\)$/);
    expect(textOf(result).length).toBeLessThan(9000);
  });

  it('that is too long is an error', async () => {
    const { result } = await run(of('text/plain', 'x'.repeat(2000)), { options: { maxResponse: 1000 } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('longer than 1000 bytes') }],
    });
  });

  it('that is large is cut, and can be read on', async () => {
    const rows = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` })));
    const { url } = await startApi(of('application/json', rows));
    const { client, call } = await connectTo(operationOf({}), { baseUrl: url, resultBudget: { tokens: 500 } });
    expect(JSON.stringify((await call()).content)).toContain('read_more');
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['run', 'read_more']);
  });

  it('does not come in time: it is an error', async () => {
    const { result } = await run((_, response) => response.flushHeaders(), { options: { timeoutMs: 30 } });
    expect(textOf(result)).toBe('GET /run: no response within 30 ms');
  });
});

describe('structured content', () => {
  it('is what the document says of an object', async () => {
    const { url } = await startApi(() => ({ id: 1, kind: 'bird' }));
    const { client, call } = await connectTo(operationOf(returning(pet)), { baseUrl: url, resultBudget: false });
    const [tool] = await client.listTools().all();
    expect(tool?.outputSchema).toEqual({
      type: 'object',
      properties: { id: { type: ['integer', 'null'] }, kind: {} },
    });
    expect(await call()).toMatchObject({ isError: false, structuredContent: { id: 1, kind: 'bird' } });
  });

  it('may be null where the document forgets it, and may lack what is required', async () => {
    const { result } = await run(() => ({ id: null }), { operation: returning(pet) });
    expect(result).toMatchObject({ isError: false, structuredContent: { id: null } });
  });

  it('that breaks the types of the document is an error which says that the request was successful', async () => {
    const { result } = await run(() => ({ id: 'one' }), { operation: returning(pet) });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('{"id":"one"}');
    expect(JSON.stringify(result.content[1])).toMatch(
      /was successful \(200\): do not repeat it.*\/id expected integer or null, got string/,
    );
  });

  it('is checked in full with exact schemas, and not promised without any', async () => {
    const exact = await run(() => ({ kind: 'cat' }), {
      operation: returning(pet),
      options: { outputSchemas: 'exact' },
    });
    expect(exact.result.isError).toBe(true);
    const none = await run(() => ({ kind: 'cat' }), { operation: returning(pet), options: { outputSchemas: 'none' } });
    expect(none.result).toEqual({ content: [{ type: 'text', text: '{"kind":"cat"}' }], isError: false });
  });

  it.each([
    ['a list', returning({ type: 'array' })],
    [
      'one of several',
      {
        responses: {
          200: { content: { 'application/json': { schema: pet } } },
          201: { content: { 'application/json': { schema: pet } } },
        },
      },
    ],
    ['an error alone', { responses: { default: { content: { 'application/json': { schema: pet } } } } }],
    [
      'too long',
      returning({
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`property_${at}`, { type: 'string' }])),
      }),
    ],
    ['nowhere', returning({ $ref: '#/components/schemas/None' })],
  ])('is not promised where the schema is %s', async (_, operation) => {
    const { api } = await connectTo(operationOf(operation), { baseUrl: 'https://api.example' });
    expect(api.tools.get('run')?.output).toBeUndefined();
  });
});

describe('the next page', () => {
  const parameters = [
    { name: 'page', in: 'query', schema: { type: 'integer' } },
    { name: 'sort', in: 'query', schema: { type: 'string' } },
  ];

  it.each([
    ['</run?page=3&sort=a>; rel="next", </run?page=9>; rel="last"', { page: 3, sort: 'a' }],
    ['</run?page=1>; rel=prev, </run?sort=a&page=3>; title="x"; rel="more next"', { page: 3, sort: 'a' }],
  ])('in the header Link: %s is the arguments of another call', async (link, args) => {
    const { url } = await startApi((_, response) => void response.setHeader('Link', link));
    const { call } = await connectTo(operationOf({ parameters }), { baseUrl: url });
    const { content, _meta } = await call({ page: 2, sort: 'a' });
    expect(content[1]).toEqual({
      type: 'text',
      text: `Next page: call run with ${JSON.stringify({ page: args.page, sort: args.sort })}`,
    });
    expect(_meta).toEqual({ 'io.github.ccmcp/links': [{ name: 'next', tool: 'run', arguments: args }] });
  });

  it.each([
    '<https://evil.example/run?page=3>; rel="next"',
    '</other?page=3>; rel="next"',
    '</run?secret=3>; rel="next"',
    '<::>; rel="next"',
    '</run>; rel="next"',
    '<'.repeat(10_000),
  ])('is none if the header leads elsewhere', async (link) => {
    const { url } = await startApi((_, response) => void response.setHeader('Link', link));
    const { call } = await connectTo(operationOf({ parameters }), { baseUrl: url });
    expect(await call({ page: 2 })).not.toHaveProperty('_meta');
  });

  it('follows from links of the document, as other calls do', async () => {
    const links = {
      next: { operationId: 'list', parameters: { cursor: '$response.body#/next' } },
      first: {
        operationId: 'read',
        parameters: { 'path.id': '$response.body#/items/0/id', from: '$request.query.limit', fixed: 'x' },
      },
      header: { operationRef: '#/paths/~1items~1{id}/get', parameters: { id: '$response.header.X-Id' } },
      missing: { operationId: 'read', parameters: { id: '$response.body#/none' } },
      unknown: { operationId: 'nobody', parameters: {} },
      proto: { operationId: 'read', parameters: { id: '$response.body#/constructor/name' } },
    };
    const query = (name: string): object => ({ name, in: 'query', schema: {} });
    const document = documentOf({
      '/items': {
        get: { operationId: 'list', parameters: [query('cursor'), query('limit')], responses: { '2XX': { links } } },
      },
      '/items/{id}': { get: { operationId: 'read', parameters: [query('from'), query('fixed')] } },
    });
    const { url } = await startApi((_, response) => {
      response.setHeader('X-Id', '7');
      return { next: 'abc', items: [{ id: 5 }] };
    });
    const { call } = await connectTo(document, { baseUrl: url });
    expect((await call({ limit: 2 }, 'list'))._meta).toEqual({
      'io.github.ccmcp/links': [
        { name: 'next', tool: 'list', arguments: { limit: 2, cursor: 'abc' } },
        { name: 'first', tool: 'read', arguments: { id: 5, from: 2, fixed: 'x' } },
        { name: 'header', tool: 'read', arguments: { id: '7' } },
      ],
    });
  });
});

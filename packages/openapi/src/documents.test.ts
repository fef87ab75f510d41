import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkValue } from '@ccmcp/core/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { documentOf, operationOf } from './fixtures/api-client.ts';
import { startApi } from './fixtures/echo-api.ts';
import { openApi } from './open-api.ts';
import type { OpenApiOptions } from './options.ts';

const baseUrl = 'https://api.example';

/** The input schema of the operation of a document. */
async function inputOf(document: object | string, options: OpenApiOptions = {}): Promise<Record<string, unknown>> {
  const api = await openApi(document, { baseUrl, ...options });
  return api.tools.get('run')?.input as Record<string, unknown>;
}

/** The input schema of an argument `p`, and definitions. */
async function schemaOf(schema: unknown, schemas: object = {}): Promise<{ p: unknown; $defs: unknown }> {
  const document = { ...operationOf({ parameters: [{ name: 'p', in: 'query', schema }] }), components: { schemas } };
  const { properties, $defs } = await inputOf(document);
  return { p: (properties as { p: unknown }).p, $defs };
}

function folderWith(files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return pathToFileURL(`${folder}/`);
}

describe('a document', () => {
  const yaml = `openapi: 3.0.3
info: {title: 'Pets: all', version: 2020-01-01}
x-shared: &shared
  parameters: [{name: a, in: query, schema: {type: string}}]
paths:
  /run:
    get: {operationId: run, <<: *shared, responses: {200: {description: ok}}}
`;

  it('is an object, JSON or YAML, with merge keys and numbers as names', async () => {
    for (const document of [
      documentOf({ '/run': { get: { operationId: 'run' } } }),
      JSON.stringify(operationOf({})),
      yaml,
    ]) {
      expect((await openApi(document, { baseUrl })).operations).toMatchObject([
        { tool: 'run', method: 'GET', path: '/run' },
      ]);
    }
    expect(await inputOf(yaml)).toMatchObject({ properties: { a: { type: 'string' } } });
    expect((await openApi(yaml, { baseUrl })).info).toMatchObject({ name: 'pets-all', version: '2020-01-01' });
  });

  it('is read from a file, or from a URL, to which its servers may be relative', async () => {
    const file = folderWith({ 'api.yaml': yaml });
    expect((await openApi(new URL('api.yaml', file), { baseUrl })).operations).toHaveLength(1);
    const { url } = await startApi(({ url: path }) =>
      path === '/v1/openapi.json' ? { ...operationOf({}), servers: [{ url: '.' }] } : { path },
    );
    const api = await openApi(new URL('/v1/openapi.json', url));
    expect(
      await api.tools.get('run')?.call({} as never, { signal: new AbortController().signal } as never),
    ).toMatchObject({
      content: [{ text: '{"path":"/v1/run"}' }],
    });
  });

  it.each([
    ['{"openapi":', /^The document is not valid JSON: /],
    ['a: b: c', /^The document is not valid YAML: bad indentation.*\(1:5\)/],
    ['just text', /is no object/],
    ['[1]', /is no object/],
    ['', /not valid YAML/],
    ['swagger: "2.0"', /Swagger 2\.0: convert it/],
    ['openapi: 4.0.0', /"openapi" of the document is "4\.0\.0"/],
    ['openapi: 3.1.0', /the document offers no operation/],
    ['openapi: 3.1.0\npaths: {/x: 1, /y: {get: 5, put: [], post: "x"}}', /the document offers no operation/],
    [
      '{"openapi":"3.1.0","paths":{"/x":{"$ref":"#/paths/~1x"}}}',
      /"#\/paths\/~1x": \$ref "#\/paths\/~1x" leads back to itself/,
    ],
    ['a: !!js/function x', /unknown scalar tag/],
  ])('that is %j is refused with a reason', async (document, message) => {
    await expect(openApi(document, { baseUrl })).rejects.toThrow(message);
  });

  it.each([
    ['JSON', '['.repeat(10_000), /not valid JSON/],
    ['YAML', `a: ${'['.repeat(10_000)}`, /not valid YAML: nesting exceeded/],
    [
      'YAML in blocks',
      `a:\n${Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth + 1)}a:`).join('\n')}`,
      /nesting exceeded/,
    ],
    ['aliases', `openapi: 3.1.0\na: &a [1]\nb: [${'*a,'.repeat(20_000)}]`, /alias/i],
  ])('that is nested deeply, or repeats itself, is refused: %s', async (_, document, message) => {
    await expect(openApi(document, { baseUrl })).rejects.toThrow(message);
  });

  it('that is a word for a URL, or unknown options, are refused with advice', async () => {
    await expect(openApi('https://api.example/openapi.json')).rejects.toThrow('write new URL(…)');
    await expect(openApi(operationOf({}), { tags: ['a'] } as OpenApiOptions)).rejects.toThrow('no option "tags"');
    await expect(openApi(operationOf({}), { include: { tag: 'a' } as object })).rejects.toThrow('"include" has "tag"');
    await expect(openApi(operationOf({}), { references: ['./x'] })).rejects.toThrow('no URL');
  });

  it('that is too long is not read', async () => {
    const text = JSON.stringify({ ...operationOf({}), 'x-more': 'x'.repeat(2000) });
    const message = /longer than 1000 bytes.*"maxDocument"/;
    await expect(openApi(text, { maxDocument: 1000 })).rejects.toThrow(message);
    await expect(openApi(new URL('a.json', folderWith({ 'a.json': text })), { maxDocument: 1000 })).rejects.toThrow(
      message,
    );
    const { url } = await startApi((_, response) => void response.end(text));
    await expect(openApi(new URL(url), { maxDocument: 1000 })).rejects.toThrow(message);
  });

  it('that is not there is an error that names it', async () => {
    await expect(openApi(new URL('file:///no/such.yaml'))).rejects.toThrow(
      /"\/no\/such\.yaml" can not be read: ENOENT/,
    );
    const { url } = await startApi((_, response) => void response.writeHead(404).end());
    await expect(openApi(new URL('/x.json?token=1', url))).rejects.toThrow(
      /\/x\.json" can not be read: the status is 404/,
    );
  });
});

describe('references', () => {
  const files = {
    'api.yaml': `openapi: 3.1.0
paths:
  /run: {$ref: 'paths/run.yaml'}
  /bad: {get: {operationId: bad, parameters: [{$ref: 'file:///etc/passwd'}]}}
  /gone: {get: {operationId: gone, parameters: [{$ref: '#/components/parameters/None'}]}}
  /proto: {get: {operationId: proto, parameters: [{$ref: '#/constructor/prototype'}]}}
`,
    'paths/run.yaml': `get: {operationId: run, parameters: [{$ref: '../shared.yaml#/Limit'}]}`,
    'shared.yaml': `Limit: {name: limit, in: query, schema: {$ref: '#/Number'}}\nNumber: {type: integer}`,
    'other.json': '{}',
  };

  it('lead to other documents where that is allowed; the rest is served', async () => {
    const folder = folderWith(files);
    const api = await openApi(new URL('api.yaml', folder), { baseUrl, references: [folder] });
    expect(api.tools.get('run')?.input).toMatchObject({ properties: { limit: { type: 'integer' } } });
    expect(api.skipped).toEqual([
      {
        place: '#/paths/~1bad/get',
        reason: expect.stringContaining(
          '"file:///etc/passwd", that is not read: allow it with the option "references"',
        ),
      },
      { place: '#/paths/~1gone/get', reason: '$ref leads to "#/components/parameters/None", which is not there' },
      { place: '#/paths/~1proto/get', reason: '$ref leads to "#/constructor/prototype", which is not there' },
    ]);
  });

  it('lead nowhere else', async () => {
    const folder = folderWith(files);
    const api = openApi(new URL('api.yaml', folder), { baseUrl });
    await expect(api).rejects.toThrow(/"#\/paths\/~1run": \$ref leads to another document, "paths\/run\.yaml"/);
    const exact = openApi(new URL('api.yaml', folder), { baseUrl, references: [new URL('paths/run.yaml', folder)] });
    await expect(exact).rejects.toThrow(/"\.\.\/shared\.yaml#\/Limit"/);
  });

  it('to themselves stay references in the schema', async () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } },
    };
    const { p, $defs } = await schemaOf({ $ref: '#/components/schemas/Node' }, { Node: node });
    expect(p).toEqual({ $ref: '#/$defs/Node' });
    expect($defs).toEqual({
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, name: { type: 'string' } } },
    });
  });

  it('may be objects that contain themselves', async () => {
    const node: Record<string, unknown> = { type: 'object', properties: {} };
    (node.properties as Record<string, unknown>).next = node;
    const { p, $defs } = await schemaOf(node);
    expect(p).toEqual({ $ref: '#/$defs/recursive' });
    expect($defs).toEqual({ recursive: { type: 'object', properties: { next: { $ref: '#/$defs/recursive' } } } });
  });

  it('that could never be checked leave out their operation alone', async () => {
    const document = {
      ...documentOf({
        '/run': { get: { operationId: 'run' } },
        '/bad': {
          get: {
            operationId: 'bad',
            parameters: [{ name: 'p', in: 'query', schema: { $ref: '#/components/schemas/A' } }],
          },
        },
      }),
      components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }, { type: 'object' }] } } },
    };
    const api = await openApi(document, { baseUrl });
    expect(api.operations.map(({ tool }) => tool)).toEqual(['run']);
    expect(api.skipped).toEqual([
      { place: '#/paths/~1bad/get', reason: expect.stringContaining('lead back to themselves') },
    ]);
  });

  it('that are used often or are long become definitions, short ones are written out', async () => {
    const long = {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'x'.repeat(200) },
        more: { type: 'string', description: 'y'.repeat(200) },
      },
    };
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/Id' }, b: { $ref: '#/components/schemas/Long' } },
    };
    const { p, $defs } = await schemaOf(schema, { Id: { type: 'integer' }, Long: long });
    expect(p).toMatchObject({ properties: { a: { type: 'integer' }, b: { $ref: '#/$defs/Long' } } });
    expect(Object.keys($defs as object)).toEqual(['Long']);
  });

  it('in a chain or a tree of thousands are cut, not followed without end', async () => {
    const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [
        `N${at}`,
        { type: 'object', properties: { a: ref(`N${at + 1}`), t: { type: 'string', description: 'x'.repeat(100) } } },
      ]),
    );
    const { p, $defs } = await schemaOf(ref('N0'), { ...chain, N5000: {} });
    expect(JSON.stringify({ p, $defs }).length).toBeLessThan(20_000);
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [
        `W${at}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 50 }, (__, to) => [`p${to}`, ref(`W${(at * 7 + to) % 500}`)]),
          ),
        },
      ]),
    );
    const tree = await schemaOf(ref('W0'), wide);
    expect(JSON.stringify(tree).length).toBeLessThan(40_000);
    expect(await checkValue({ ...(tree.p as object), $defs: tree.$defs }, {})).toEqual({ problems: [] });
  });
});

describe('a schema', () => {
  it.each([
    ['nullable', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'nullable without type',
      { nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] },
      { anyOf: [{ type: 'object', properties: { name: { type: 'string' } } }, { type: 'null' }] },
    ],
    [
      'exclusive bounds of 3.0',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      { type: 'number', exclusiveMinimum: 1, maximum: 5 },
    ],
    ['exclusive bounds of 3.1', { type: 'number', exclusiveMinimum: 1 }, { type: 'number', exclusiveMinimum: 1 }],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    [
      'oneOf and anyOf',
      { oneOf: [{ type: 'string' }], anyOf: [{ minLength: 1 }] },
      { allOf: [{ anyOf: [{ minLength: 1 }] }, { anyOf: [{ type: 'string' }] }] },
    ],
    [
      'a closed object',
      { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    ['a list of types', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'what is only read',
      { type: 'object', required: ['id', 'a'], properties: { id: { readOnly: true }, a: { writeOnly: true } } },
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
    [
      'malformed keywords',
      {
        type: 'file',
        pattern: '(',
        minLength: -1,
        required: true,
        enum: 5,
        minimum: '1',
        items: 5,
        properties: [],
        format: 7,
        maximum: null,
        description: 5,
        default: null,
      },
      {},
    ],
    ['an unknown format', { type: 'string', format: 'frobnicate' }, { type: 'string', format: 'frobnicate' }],
    ['a redundant format', { type: 'integer', format: 'int64' }, { type: 'integer' }],
    [
      'tuples',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
    ],
    [
      'words of OpenAPI',
      { type: 'string', example: 'x', xml: {}, externalDocs: {}, 'x-y': 1, deprecated: true, title: 'T' },
      { type: 'string' },
    ],
    [
      'a reference with a description',
      { $ref: '#/components/schemas/Pet', description: 'Mine' },
      { type: 'object', properties: { name: { type: 'string' } }, description: 'Mine' },
    ],
    ['true', true, {}],
  ])('with %s is converted', async (_, schema, expected) => {
    const { p } = await schemaOf(schema, { Pet: { type: 'object', properties: { name: { type: 'string' } } } });
    expect(p).toEqual(expected);
    expect(await checkValue(p, null)).not.toHaveProperty('unusable');
  });

  it('with a discriminator tells which value stands for which choice, unless the choice does', async () => {
    const schemas = {
      Cat: { type: 'object', properties: { kind: { type: 'string' } } },
      Dog: { type: 'object', properties: { kind: { type: 'string', enum: ['d'] } } },
    };
    const schema = {
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/Cat', kitten: 'Cat', dog: 'Dog' } },
    };
    const { p } = await schemaOf(schema, schemas);
    expect(p).toEqual({
      anyOf: [
        { type: 'object', properties: { kind: { enum: ['c', 'kitten'] } }, required: ['kind'] },
        { type: 'object', properties: { kind: { type: 'string', enum: ['d'] } } },
      ],
    });
  });

  it('that is nested deeply accepts anything below', async () => {
    let schema: object = { type: 'string' };
    for (let depth = 0; depth < 10_000; depth += 1) schema = { type: 'array', items: schema };
    const { p } = await schemaOf(schema);
    expect(JSON.stringify(p).length).toBeLessThan(1000);
  });

  it('whose values are huge, nested or contain themselves loses them alone', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const schema = { type: 'object', default: cyclic, enum: [cyclic], const: 'x'.repeat(10_000) };
    expect((await schemaOf(schema)).p).toEqual({ type: 'object' });
  });

  it('of aliases that repeat each other is not written out', async () => {
    const names = 'abcdefghijklmnop';
    const levels = Array.from(names, (name, at) =>
      at === 0
        ? 'a: &a {type: string}'
        : `${name}: &${name} {type: object, properties: {${Array.from({ length: 10 }, (_, n) => `p${n}: *${names[at - 1]}`).join(', ')}}}`,
    );
    const yaml = `openapi: 3.1.0\nx:\n  ${levels.join('\n  ')}\npaths: {/run: {get: {operationId: run, parameters: [{name: p, in: query, schema: *p}]}}}`;
    expect(JSON.stringify(await inputOf(yaml)).length).toBeLessThan(200_000);
  });

  it('may have a property of any name', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"a b":{}}}',
    ) as object;
    const { p } = await schemaOf(schema);
    expect(JSON.stringify(p)).toBe(JSON.stringify(schema));
    expect(await checkValue(p, JSON.parse('{"__proto__": 1}'))).toMatchObject({ problems: [{ path: '/__proto__' }] });
  });
});

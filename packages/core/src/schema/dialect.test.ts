import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { JsonSchema } from './infer.ts';

const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' };

/** The problem of a value; undefined if it is valid. */
async function problemWith(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const checked = await compileSchema(schema, { side: 'output' }).check(value);
  return checked.ok ? undefined : checked.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
}

describe('a $ref of draft-07', () => {
  const definitions = { list: { type: 'array', items: { type: 'integer' } } };

  it('disables the keywords beside it', async () => {
    const schema = { ...draft07, definitions, properties: { list: { $ref: '#/definitions/list', maxItems: 2 } } };
    expect(await problemWith(schema, { list: [1, 2, 3] })).toBeUndefined();
    expect(await problemWith(schema, { list: 'none' })).toBe('/list expected array, got string');
    const newer = { ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' };
    expect(await problemWith(newer, { list: [1, 2, 3] })).toBe('/list must have at most 2 items, got 3');
  });

  it('disables the keywords beside it at the root, but definitions are resolved', async () => {
    const schema = { ...draft07, definitions, $ref: '#/definitions/list', minItems: 9 };
    expect(await problemWith(schema, [1])).toBeUndefined();
    expect(await problemWith(schema, ['1'])).toContain('expected integer');
  });

  it('is rejected if it refers to a disabled keyword', () => {
    const hidden = { $ref: '#/definitions/list', properties: { a: { type: 'string' } } };
    const schema = {
      ...draft07,
      definitions: { ...definitions, hidden },
      items: { $ref: '#/definitions/hidden/properties/a' },
    };
    expect(() => compileSchema(schema, { side: 'output' })).toThrow('move it to "definitions"');
    expect(() => compileSchema({ ...schema, $schema: undefined as never }, { side: 'output' })).not.toThrow();
  });
});

describe('a content keyword', () => {
  const json = { contentMediaType: 'application/json' };
  const base64 = { contentEncoding: 'base64' };

  it.each([
    [json, '{"a":1}', undefined],
    [json, '{:}', 'must be in "JSON" format, got "{:}"'],
    [json, 7, undefined],
    [base64, 'eyJhIjox\nfQ==', undefined],
    [base64, 'eyJh%Ijox', 'must be in "base64" format, got "eyJh%Ijox"'],
    [base64, 'eyJhIjoxfQ', 'must be in "base64" format, got "eyJhIjoxfQ"'],
    [base64, '-_-_', 'must be in "base64" format, got "-_-_"'],
    [{ ...json, ...base64 }, 'eyJhIjoxfQ==', undefined],
    [{ ...json, ...base64 }, 'ezp9Cg==', 'must be in "JSON in base64" format, got "ezp9Cg=="'],
    [{ ...json, ...base64 }, '{}', 'must be in "JSON in base64" format, got "{}"'],
    [{ contentMediaType: 'image/png' }, '{:}', undefined],
    [{ ...json, contentEncoding: 'quoted-printable' }, '{:}', undefined],
  ])('is validated in draft-07: %j with %j', async (schema, value, problem) => {
    expect(await problemWith({ ...draft07, ...schema }, value)).toBe(problem);
    expect(await problemWith(schema, value)).toBeUndefined();
  });

  it('is validated beside a format and an allOf', async () => {
    const schema = { ...draft07, ...json, format: 'uri', allOf: [{ maxLength: 20 }] };
    expect(await problemWith(schema, '1')).toContain('"uri"');
    expect(await problemWith(schema, 'https://a.example')).toContain('"JSON"');
    expect(await problemWith({ ...draft07, ...json, allOf: [{ maxLength: 3 }] }, '12345')).toContain('at most 3');
  });
});

describe('a $id', () => {
  it('is ignored under an unknown keyword', async () => {
    const $id = 'https://a.example/real.json';
    const schema = {
      $defs: { decoy: { note: [{ $id, type: 'null' }] }, real: { $id, type: 'string' } },
      $ref: 'https://a.example/real.json',
    };
    expect(await problemWith(schema, 'a text')).toBeUndefined();
    expect(await problemWith(schema, null)).toContain('expected string');
  });

  it('is ignored in a const or enum value', async () => {
    const value = { $id: 'https://a.example/', $ref: '#/nowhere' };
    expect(await problemWith({ const: value }, value)).toBeUndefined();
    expect(await problemWith({ const: value }, {})).toBeDefined();
  });

  it('may have an IPvFuture host', async () => {
    for (const format of ['iri', 'iri-reference', 'uri', 'uri-reference']) {
      for (const text of ['http://[v1.fe]', 'http://user@[V1.fe:x]:80/path?q#f']) {
        expect([format, text, await problemWith({ format }, text)]).toEqual([format, text, undefined]);
      }
      expect(await problemWith({ format }, 'http://[v1.]/')).toBeDefined();
    }
  });

  it('does not affect inherited property names', async () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"note":{"__proto__":{"$id":"x"}}}',
    ) as JsonSchema;
    expect(await problemWith(schema, JSON.parse('{"__proto__":1}'))).toContain('expected string');
  });
});

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { JsonSchema, Schema } from './infer.ts';

const greeting = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

function rejection(schema: unknown, side: 'input' | 'output' = 'input'): string {
  try {
    compileSchema(schema as Schema, { side });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
  throw new Error('the schema was accepted');
}

describe('the schema sent to clients', () => {
  it('is the given schema, unchanged', () => {
    expect(compileSchema(greeting, { side: 'input' }).json).toEqual(greeting);
  });

  it('gets `type: object` for arguments if the author omitted it', () => {
    const { json } = compileSchema({ properties: { a: { type: 'number' } } }, { side: 'input' });
    expect(json).toEqual({ type: 'object', properties: { a: { type: 'number' } } });
    expect(compileSchema({}, { side: 'input' }).json).toEqual({ type: 'object' });
  });

  it('may describe any value for output', () => {
    const json = { type: 'array', items: { type: 'string' } };
    expect(compileSchema(json, { side: 'output' }).json).toEqual(json);
    expect(compileSchema({}, { side: 'output' }).json).toEqual({});
  });

  it('is available synchronously', () => {
    expect(compileSchema(greeting, { side: 'input' }).written).toBe(true);
  });

  it('is rejected with the reason as its cause', () => {
    expect(() => compileSchema({ type: 'strin' }, { side: 'input' })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ name: 'TypeError' }) }),
    );
  });

  it('does not change the given object', () => {
    const given: JsonSchema = Object.freeze({ properties: {} });
    compileSchema(given, { side: 'input' });
    expect(given).toEqual({ properties: {} });
  });
});

describe('arguments mirrored in headers', () => {
  const region = { type: 'string', 'x-mcp-header': 'Region' };

  it('are listed for the input schema', () => {
    const schema = { properties: { deep: { properties: { region } } } };
    const { mirrored } = compileSchema(schema, { side: 'input' });
    expect(mirrored).toEqual([{ name: 'Mcp-Param-Region', header: 'mcp-param-region', path: ['deep', 'region'] }]);
    expect(compileSchema(schema, { side: 'output' }).mirrored).toEqual([]);
    expect(compileSchema(greeting, { side: 'input' }).mirrored).toEqual([]);
  });
});

describe('validation', () => {
  // The validator is loaded once in a process: this test has to be the first that needs it.
  it('is synchronous for a valid value of a plain schema, otherwise a promise at first', async () => {
    const schema = compileSchema(greeting, { side: 'input' });
    expect(schema.prepare({ name: 'Ada' })).toBeUndefined();
    expect(schema.check({ name: 'Ada' })).toEqual({ ok: true, value: { name: 'Ada' } });
    for (const special of [
      { pattern: 'a' },
      { properties: { valueOf: {} } },
      { uniqueItems: true },
      { format: 'uri' },
    ]) {
      expect(compileSchema(special, { side: 'output' }).prepare('a')).toBeInstanceOf(Promise);
    }
    const first = schema.check({ name: 1 });
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toMatchObject({ ok: false });
    expect(schema.check({ name: 'Ada' })).toEqual({ ok: true, value: { name: 'Ada' } });
    expect(schema.check({ name: 1 })).toEqual({
      ok: false,
      problems: [{ path: '/name', message: 'expected string, got number' }],
    });
  });

  it('returns the same value, without adding or removing anything', async () => {
    const schema = compileSchema({ type: 'object', properties: { a: { default: 1 } } }, { side: 'input' });
    const value = { b: 2 };
    const checked = await schema.check(value);
    expect(checked.ok && checked.value).toBe(value);
    expect(value).toEqual({ b: 2 });
  });

  it('rejects arguments that are no object even if the schema does not say so', async () => {
    const checked = await compileSchema({}, { side: 'input' }).check([]);
    expect(checked).toEqual({ ok: false, problems: [{ path: '', message: 'expected object, got array' }] });
  });

  it('compiles once for concurrent first checks', async () => {
    let reads = 0;
    const counting = (): Schema => ({
      type: 'object',
      get properties() {
        reads += 1;
        return { name: { type: 'string' as const } };
      },
    });
    const once = compileSchema(counting(), { side: 'output' });
    await once.check({});
    const readsForOne = reads;
    reads = 0;
    const several = compileSchema(counting(), { side: 'output' });
    await Promise.all([several.check({}), several.check({ name: 'a' }), several.check({ name: 'b' })]);
    expect(reads).toBe(readsForOne);
  });

  it('precompiles a cheap schema, and reports its problems only when it is used', async () => {
    let reads = 0;
    const counted = (more: object): Schema => ({
      get type() {
        reads += 1;
        return 'object' as const;
      },
      ...more,
    });
    const plain = compileSchema(counted({}), { side: 'output' });
    const costly = compileSchema(counted({ uniqueItems: true }), { side: 'output' });
    reads = 0;
    costly.compileAhead();
    expect(reads).toBe(0);
    plain.compileAhead();
    const made = reads;
    expect(made).toBeGreaterThan(0);
    plain.compileAhead();
    expect(plain.check({})).toMatchObject({ ok: true });
    expect(reads).toBe(made);
  });

  it('does not load the validator before the first check', async () => {
    const entry = new URL('compile.ts', import.meta.url).pathname;
    const { metafile } = await build({
      entryPoints: { entry },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: '/nowhere',
      write: false,
      metafile: true,
    });
    const outputs = new Map(Object.entries(metafile.outputs));
    const [name] = [...outputs].find(([, output]) => output.entryPoint?.endsWith('schema/compile.ts')) ?? [''];
    const startUp = new Set([name]);
    for (const path of startUp) {
      for (const { path: next, kind } of outputs.get(path)?.imports ?? []) {
        if (kind === 'import-statement') startUp.add(next);
      }
    }
    const loadedAtStart = [...startUp].flatMap((path) => Object.keys(outputs.get(path)?.inputs ?? {}));
    expect(loadedAtStart.some((input) => input.endsWith('schema/inspect.ts'))).toBe(true);
    expect(loadedAtStart.filter((input) => input.includes('typebox') || input.endsWith('json-schema.ts'))).toEqual([]);
  });
});

describe('an unusable schema is rejected at registration', () => {
  it('if it is no object', () => {
    for (const schema of [undefined, null, true, 'string', 7, []]) {
      expect(rejection(schema)).toMatch(/^The input schema can't be used: it is not an object: give a JSON Schema or/);
    }
  });

  it('if it belongs to a library version without Standard Schema', () => {
    const old = { _def: {}, parse: () => undefined };
    expect(rejection(old)).toMatch(/no Standard Schema.*zod 4\.2.*arktype 2\.1\.28.*@valibot\/to-json-schema/);
    expect(rejection(() => undefined)).toMatch(/no Standard Schema/);
  });

  it('if it does not describe arguments as an object', () => {
    expect(rejection({ type: 'string' })).toBe(
      `The input schema can't be used: its root type is "string", and arguments are always an object: ` +
        'describe an object that has the value as a property',
    );
    expect(rejection({ type: ['object', 'null'] })).toMatch(/its root type is \["object","null"\]/);
  });

  it('if its dialect is not supported (S-B-14)', () => {
    for (const dialect of [
      'https://json-schema.org/draft/2019-09/schema',
      'http://json-schema.org/draft-04/schema#',
      'https://example.com/dialect',
    ]) {
      expect(rejection({ $schema: dialect }, 'output')).toMatch(
        /is not supported: use https:\S+\/draft\/2020-12\/schema .* or http:\S+\/draft-07\/schema#$/,
      );
    }
  });

  it('and both supported dialects are recognized with http and https, with and without # (S-B-14)', () => {
    for (const scheme of ['http', 'https']) {
      for (const name of ['draft/2020-12', 'draft-07']) {
        for (const hash of ['', '#']) {
          const $schema = `${scheme}://json-schema.org/${name}/schema${hash}`;
          expect(compileSchema({ $schema }, { side: 'output' }).json).toEqual({ $schema });
        }
      }
    }
  });

  it('if it mirrors an argument that no header can carry (S-M-15)', () => {
    const marked = { type: 'string', 'x-mcp-header': 'My Region' };
    expect(rejection({ properties: { region: marked } })).toBe(
      `The input schema can't be used: "x-mcp-header" at "#/properties/region" is not the name of a header: ` +
        'use letters, digits and "-"',
    );
    expect(rejection({ $defs: { region: marked } })).toMatch(/at "#\/\$defs\/region" stands where no argument is/);
    expect(rejection({ oneOf: [{ properties: { a: marked } }] })).toMatch(/stands where no argument is/);
  });

  it('if it refers to another document (S-B-15)', () => {
    for (const $ref of [
      'https://example.com/schema.json',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'other.json#/$defs/a',
      '//example.com/a',
    ]) {
      expect(rejection({ properties: { a: { $ref } } })).toMatch(
        /#\/properties\/a\/\$ref leads to another document.*not fetched: copy what is needed into \$defs/,
      );
    }
    expect(rejection({ $dynamicRef: 'https://example.com/schema.json' })).toMatch(/leads to another document/);
  });
});

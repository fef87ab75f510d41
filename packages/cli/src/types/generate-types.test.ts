import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, run } from '../../../../test/support/ccmcp.ts';
import { toTypes } from './schema-type.ts';

function typeOf(schema: unknown): string {
  return toTypes('Root', schema, (name) => name)
    .map(({ name, type }) => (name === 'Root' ? type : `${name} = ${type}`))
    .join('\n');
}

describe('a schema as a type', () => {
  it.each<[unknown, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: 'a' }, '"a"'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, '(string | number)[]'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 },
      '[string, number?]',
    ],
    [{ type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } }, '[string?, ...number[]]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
    [{ type: 'object', additionalProperties: false }, '{ [name: string]: never }'],
    [
      { type: 'object', properties: { b: { type: 'string', description: 'A b' }, a: {} }, required: ['a'] },
      '{\n  a: unknown;\n  /** A b */\n  b?: string;\n}',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      '{\n  a?: string;\n  [name: string]: number | string | undefined;\n}',
    ],
    [
      { allOf: [{ $ref: '#/$defs/a' }, { required: ['x'] }], $defs: { a: { type: 'string' } } },
      'RootA & ({\n  x: unknown;\n})\nRootA = string',
    ],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 'unknown'],
    [{ $ref: '#/nowhere' }, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('ends for schemas that are nested deeply, or grow when followed', () => {
    const deep = JSON.parse(`${'{"items":'.repeat(5000)}true${'}'.repeat(5000)}`) as unknown;
    expect(typeOf(deep).length).toBeLessThan(1000);
    const wide = (levels: number): object => ({
      anyOf: Array.from({ length: 9 }, () => (levels === 0 ? {} : wide(levels - 1))),
    });
    expect(typeOf({ type: 'object', properties: { a: wide(5) } })).toContain('unknown');
  });
});

describe('generated types', () => {
  it('are checked against a file', async () => {
    const file = join(emptyFolder(), 'types.ts');
    expect(await run(['types', 'greeting', '-o', file, '--check'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no file'),
    });
    expect(await run(['types', 'greeting', '-o', file])).toMatchObject({ code: 0 });
    expect(await run(['types', 'greeting', '-o', file, '--check'])).toMatchObject({ code: 0 });
    const { code, stderr } = await run(['types', 'miniagent', '-o', file, '--check']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/is out of date: changed Tools; added ConjugateInput, .*; removed HelloToolInput/);
  });

  it('of a lock are those of the server that was locked', async () => {
    const lock = join(emptyFolder(), 'mcp-lock.json');
    await run(['lock', 'greeting', 'miniagent', '-o', lock]);
    const { stdout } = await run(['types', 'greeting']);
    expect(await run(['types', '--lock', lock, '--as', 'greeting'])).toMatchObject({ code: 0, stdout });
    expect(await run(['types', '--lock', lock])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Choose one with --as: "greeting", "miniagent"'),
    });
    expect(await run(['types', '--lock', lock, '--as', 'notes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no target'),
    });
  });

  it('never overwrite a file that was not generated', async () => {
    const file = join(emptyFolder(), 'mine.ts');
    writeFileSync(file, 'export {};\n');
    expect(await run(['types', 'greeting', '-o', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is kept'),
    });
  });
});

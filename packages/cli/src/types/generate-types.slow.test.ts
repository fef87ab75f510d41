import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { emptyFolder, run } from '../../../../test/support/ccmcp.ts';
import { escapeControls } from '../terminal/print.ts';
import { generateTypes, type TypedTool } from './generate-types.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Type-checks files under `strict`; resolves with what is wrong. */
async function typeProblems(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(emptyFolder(), 'generated');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths: {
      '@ccmcp/core': [join(root, 'packages/core/dist/index.d.ts')],
      '@ccmcp/core/client': [join(root, 'packages/core/dist/client.d.ts')],
    },
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  try {
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const tricky: TypedTool[] = [
  { name: '__proto__', description: '*/ alert(1); /*', inputSchema: { type: 'object' } },
  { name: 'then', inputSchema: { type: 'object', properties: { ['then' as string]: { type: 'string' } } } },
  { name: 'constructor', inputSchema: true },
  { name: 'create_note', inputSchema: { type: 'object' } },
  { name: 'create-note', inputSchema: { type: 'object' }, outputSchema: { $ref: '#' } },
  { name: '1st\u202Etool\u2028*/', description: 'a\u0000\u2028*/\u202Eb', inputSchema: {} },
  { name: '工具', inputSchema: { type: 'object', properties: { '*/ "\\\u2029\n': { description: '*/*/' } } } },
  { name: 'Tools', inputSchema: { type: 'object', properties: { __proto__: { type: 'string' } } } },
  {
    name: 'cycles',
    inputSchema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, tree: { $ref: '#/$defs/tree' }, all: { $ref: '#/$defs/all' } },
      $defs: {
        a: { $ref: '#/$defs/b' },
        b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] },
        tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
        all: { type: ['object', 'null'], additionalProperties: { $ref: '#/$defs/all' } },
      },
    },
    outputSchema: {
      type: 'object',
      properties: {
        at: { const: { deep: [1, 'x', null, { y: Number.POSITIVE_INFINITY }] } },
        lone: { enum: ['\uD800', -0, 1.5e-7] },
      },
      required: ['at', 'nowhere'],
      additionalProperties: { type: 'number' },
    },
  },
  {
    name: 'nonsense',
    inputSchema: { type: 7, enum: 'x', properties: [], items: 3, required: 'a', $ref: 'https://x/' },
  },
];

describe('generated types', () => {
  it('are valid TypeScript for ready-made servers, and equal each time', async () => {
    const names = ['ccmcp', 'notes', 'moonphase', 'miniagent', 'greeting'];
    const files: Record<string, string> = {};
    for (const name of names) {
      const args = name === 'notes' ? ['--db', join(emptyFolder(), 'notes.db')] : [];
      const { stdout, stderr, code } = await run(['types', name, ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      files[`${name}.ts`] = stdout;
    }
    files['use.ts'] = `
      import { spawn } from '@ccmcp/core/client';
      import { connectTyped } from './notes.js';
      const client = await connectTyped(spawn('ccmcp', ['notes']));
      const note = await client.tools.createNote({ title: 'a', content: 'b' });
      const id: string = note.id;
      // @ts-expect-error -- a title is a text
      await client.tools.createNote({ title: 1, content: id });
    `;
    expect(await typeProblems(files)).toBe('');
    expect((await run(['types', 'miniagent'])).stdout).toBe(files['miniagent.ts']);
  });

  it('are valid TypeScript for a hostile server, whose text stays text', async () => {
    const text = generateTypes(tricky);
    expect(await typeProblems({ 'hostile.ts': text, 'empty.ts': generateTypes([]) })).toBe('');
    expect(escapeControls(text)).toBe(text);
    expect(generateTypes(tricky.toReversed())).toBe(text);
  });
});

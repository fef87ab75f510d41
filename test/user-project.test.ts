import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from './support/imports.ts';

const run = promisify(execFile);
const entries = ['@ccmcp/core', ...['stdio', 'http', 'client', 'testing'].map((entry) => `@ccmcp/core/${entry}`)];

/** A folder with these files that resolves the built packages. */
function projectWith(files: Record<string, string>): string {
  const cache = join(root, 'node_modules/.cache/ccmcp');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'user-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('a project that uses the library', () => {
  it('needs no "types" in its settings, with every declaration checked', async () => {
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] };
    const folder = projectWith({
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.ts'] }),
      'main.ts': entries.map((entry, index) => `export * as entry${index} from '${entry}';`).join('\n'),
    });
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const tsc = [join(typescript, 'bin/tsc'), '-p', folder, '--pretty', 'false'];
    const { stdout } = await run(process.execPath, tsc).catch((error: { stdout: string }) => error);

    expect(stdout).toBe('');
  });

  it('may be written in CommonJS, if Node can require ES modules', async () => {
    const folder = projectWith({
      'main.cjs': `const can = process.features.require_module === true;
        for (const entry of ${JSON.stringify(entries)}) if (can) require(entry);
        process.stdout.write(can ? 'required' : 'too old');`,
    });
    const { stdout } = await run(process.execPath, [join(folder, 'main.cjs')]);

    expect(stdout).toMatch(/^(required|too old)$/);
  });
});

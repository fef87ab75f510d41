import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildCommand, compileCommand } from './command.mjs';
import { filesBelow, writeFile } from './files.mjs';
import { buildLibrary } from './library.mjs';
import { publish } from './publish.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ccmcp-build-'));
  write('package.json', '{ "type": "module" }');
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const write = (path: string, content: string) => writeFile(join(directory, path), content);
const read = (path: string) => readFileSync(join(directory, path), 'utf8');

/** A package with one entry, built from the given source. */
function packageOf(source: string, output: string) {
  return {
    name: 'example',
    directory,
    dist: join(directory, 'dist'),
    entries: [{ source: join(directory, source), output: join(directory, output) }],
    external: ['declared'],
    isCommand: output.endsWith('.cjs'),
  };
}

describe('a command', () => {
  beforeEach(async () => {
    write('src/shared.ts', 'export class Shared {}');
    write('src/late.ts', `import { Shared } from './shared.ts'; export const late = [Shared.name]; export default 1;`);
    write('node_modules/declared/index.js', 'module.exports = "declared";');
    write('own.mjs', 'export const own = await Promise.resolve("own");');
    write(
      'src/main.ts',
      `#!/usr/bin/env node
      import { basename } from 'node:path';
      import declared from 'declared';
      import { Shared } from './shared.ts';
      console.log(process.argv.slice(2).join(), Shared.name, basename(import.meta.url).replace(/-.*/, ''));
      console.log(isStrict(), declared);
      function isStrict() { return this === undefined; }
      void import('./late.ts').then(async (module) => {
        console.log(module.late[0], module.default);
        const os = await import('node:os');
        console.log(os.default.EOL === os.EOL);
        if (process.argv[2]) console.log((await import(process.argv[2])).own);
      });`,
    );
    await buildCommand(packageOf('src/main.ts', 'dist/main.cjs'), join(directory, 'dist'));
    compileCommand(join(directory, 'dist/main.cjs'));
  });

  const compiledCode = () => filesBelow(join(directory, 'dist')).filter((file) => file.endsWith('.v8'));
  const own = () => join(directory, 'own.mjs');
  const output = () => execFileSync(join(directory, 'dist/main.cjs'), [own()], { encoding: 'utf8' }).trim().split('\n');
  const expected = () => [`${own()} Shared main`, 'true declared', 'Shared 1', 'true', 'own'];

  it('starts from compiled code, and finds its chunks, what Node has built in, and a module of the user', () => {
    expect(compiledCode()).toHaveLength(2);
    expect(output()).toEqual(expected());
  });

  it('starts without compiled code as well, and keeps it for the next time', () => {
    for (const file of compiledCode()) rmSync(join(directory, 'dist', file));
    expect(output()).toEqual(expected());
    expect(compiledCode()).toHaveLength(2);
  });

  it('keeps compiled code while it runs, for a server that is killed', async () => {
    write('src/main.ts', '#!/usr/bin/env node\nconsole.log("started"); setInterval(() => {}, 60_000);');
    await buildCommand(packageOf('src/main.ts', 'running/main.cjs'), join(directory, 'running'));
    const child = spawn(process.execPath, [join(directory, 'running/main.cjs')], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const kept = () => filesBelow(join(directory, 'running')).filter((file) => file.endsWith('.v8'));
    await expect.poll(kept, { timeout: 10_000 }).toHaveLength(1);
    expect(child.exitCode).toBeNull();
  });

  it('starts when the compiled code does not fit, and keeps what does', () => {
    const wrong = 'of another Node'.repeat(100);
    for (const file of compiledCode()) write(join('dist', file), wrong);
    expect(output()).toEqual(expected());
    expect(compiledCode()).toHaveLength(2);
    for (const file of compiledCode()) expect(read(join('dist', file)).startsWith(wrong)).toBe(false);
    expect(output()).toEqual(expected());
  });

  it('names its files by where they are now, after it was moved', async () => {
    write('src/main.ts', '#!/usr/bin/env node\nconsole.log(new Error("here").stack);');
    await buildCommand(packageOf('src/main.ts', 'dist/main.cjs'), join(directory, 'dist'));
    compileCommand(join(directory, 'dist/main.cjs'));
    renameSync(join(directory, 'dist'), join(directory, 'moved'));
    // First without compiled code, then with it.
    for (let run = 1; run <= 2; run += 1) {
      const stack = execFileSync(join(directory, 'moved/main.cjs'), { encoding: 'utf8' });
      expect(stack).toContain(join(directory, 'moved'));
      expect(stack).not.toContain(join(directory, 'dist'));
    }
  });

  it('starts where it can keep nothing, and leaves nothing behind', () => {
    for (const file of compiledCode()) {
      rmSync(join(directory, 'dist', file));
      mkdirSync(join(directory, 'dist', file));
    }
    expect(output()).toEqual(expected());
    expect(filesBelow(join(directory, 'dist')).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a library', () => {
  const example = () => packageOf('src/index.ts', 'dist/index.js');
  const built = () => buildLibrary(example(), join(directory, 'dist'));

  it('consists of modules, and of the types that its exports reach', async () => {
    write(
      'src/index.ts',
      `import { inner } from './inner.ts'; export type { T } from './types.ts'; export const x = inner;`,
    );
    write('src/inner.ts', 'export const inner = 1;');
    write('src/types.ts', 'export type T = 1;');
    await built();
    expect(filesBelow(join(directory, 'dist'))).toEqual(['index.d.ts', 'index.js', 'types.d.ts']);
    expect(read('dist/index.js')).toContain('export {');
  });

  it('declares what is public, and nothing of the same files that is not', async () => {
    write('src/index.ts', `export type { Public as Renamed } from './types.ts';`);
    write(
      'src/types.ts',
      `import type { Hidden, Shown } from './others.ts';
      /** Documented. */
      export interface Public { shown: Shown; kind: Kind }
      type Kind =
        /** The first. */
        | 'a'
        /** The second. */
        | 'b';
      export interface Internal { hidden: Hidden }`,
    );
    write('src/others.ts', 'export type Shown = 1; export type Hidden = import("./hidden.ts").Far;');
    write('src/hidden.ts', 'export type Far = 1;');
    await built();
    expect(filesBelow(join(directory, 'dist')).filter((file) => file.endsWith('.d.ts'))).toEqual([
      'index.d.ts',
      'others.d.ts',
      'types.d.ts',
    ]);
    expect(read('dist/types.d.ts')).toContain('/** Documented. */\nexport interface Public');
    expect(read('dist/types.d.ts')).toContain("import type { Shown } from './others.ts'");
    expect(read('dist/types.d.ts')).toContain("| 'b'");
    expect(read('dist/types.d.ts')).not.toContain('Internal');
    expect(read('dist/others.d.ts')).not.toContain('Hidden');
  });

  it('has what a server on stdio starts with in one file, however its entries share it', async () => {
    write('src/all.ts', 'export class Same {} export const name = "all";');
    write('src/some.ts', 'export const name = "some";');
    write('src/index.ts', `export { Same, name as all } from './all.ts'; export { name as some } from './some.ts';`);
    write(
      'src/stdio.ts',
      `import { Same, name } from './all.ts'; import * as some from './some.ts';
      export const stdio = [Same, name, some.name] as const;`,
    );
    write('src/client.ts', `import { Same, name } from './all.ts'; export const client = [Same, name] as const;`);
    const entries = ['index', 'stdio', 'client'].map((name) => ({
      source: join(directory, `src/${name}.ts`),
      output: join(directory, `dist/${name}.js`),
    }));
    await buildLibrary({ ...example(), entries }, join(directory, 'dist'));

    const files = filesBelow(join(directory, 'dist')).filter((file) => file.endsWith('.js'));
    expect(files).toEqual([expect.stringMatching(/^chunks\/shared-\w+\.js$/), 'client.js', 'index.js', 'stdio.js']);
    const load = (name: string) => import(pathToFileURL(join(directory, 'dist', name)).href);
    const [index, { stdio }, { client }] = await Promise.all(['index.js', 'stdio.js', 'client.js'].map(load));
    expect(index).toMatchObject({ all: 'all', some: 'some' });
    expect(stdio).toEqual([index.Same, 'all', 'some']);
    expect(client).toEqual([index.Same, 'all']);
  });

  it('cannot be built when its types need those of a package that it does not depend on', async () => {
    write('node_modules/undeclared/package.json', '{ "name": "undeclared", "types": "x.d.ts" }');
    write('node_modules/undeclared/x.d.ts', 'export type T = 1;');
    write('src/index.ts', `export type { T } from 'undeclared';`);
    await expect(built()).rejects.toThrow('index.d.ts of example needs the types of undeclared');
  });

  it('cannot be built with type errors', async () => {
    write('src/index.ts', `export const x: string = 1;`);
    await expect(built()).rejects.toThrow('type errors');
  });

  it('carries the licences of what is bundled into it, and leaves out what it depends on', async () => {
    for (const name of ['declared', '@some/bundled']) {
      write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.2.3', license: 'ISC', main: 'x.js' }),
      );
      write(`node_modules/${name}/x.js`, `exports.from = '${name}';`);
      write(`node_modules/${name}/x.d.ts`, `export declare const from: string;`);
      write(`node_modules/${name}/LICENSE`, `The licence of ${name}`);
    }
    write(
      'src/index.ts',
      `export { from } from 'declared'; import { from } from '@some/bundled'; export const y: string = from;`,
    );
    await built();
    expect(read('dist/THIRD-PARTY-NOTICES.txt')).toBe('@some/bundled 1.2.3 (ISC)\n\nThe licence of @some/bundled\n\n');
    expect(read('dist/index.js')).toContain('from "declared"');
  });

  it('has what is bundled from others minified, in files of its own, and its own code readable', async () => {
    write(
      'src/index.ts',
      `// @ts-expect-error: its types are not installed here
      import { parseDocument } from 'yaml';
      export function readFirst(text: string): unknown {
        return parseDocument(text).toJS().first;
      }`,
    );
    write('src/late.ts', `export const late = (): Promise<unknown> => import('./index.ts');`);
    const entries = ['index', 'late'].map((name) => ({
      source: join(directory, `src/${name}.ts`),
      output: join(directory, `dist/${name}.js`),
    }));
    await buildLibrary({ ...example(), entries }, join(directory, 'dist'));

    const others = filesBelow(join(directory, 'dist')).filter((file) => file.startsWith('chunks/yaml-'));
    expect(others).toHaveLength(1);
    const [other = ''] = others;
    const code = read(join('dist', other));
    expect(code.length / code.split('\n').length).toBeGreaterThan(500);
    expect(read('dist/index.js')).toContain(`"./${other}"`);
    expect(read('dist/index.js')).toMatch(/function readFirst\(text\) \{\n/);
    expect(read('dist/THIRD-PARTY-NOTICES.txt')).toMatch(/^yaml \d/);
    const { readFirst } = await import(pathToFileURL(join(directory, 'dist/index.js')).href);
    expect(readFirst('first: 1')).toBe(1);
  });

  it('contains the notice that is beside bundled data', async () => {
    write('src/data/words.ts', `export const words = 'a b';`);
    write('src/data/NOTICE.txt', 'The words are of somebody\n');
    write('src/index.ts', `export { words } from './data/words.ts';`);
    await built();
    expect(read('dist/THIRD-PARTY-NOTICES.txt')).toBe('The words are of somebody\n');
  });
});

describe('publishing a build', () => {
  it('replaces the build before, and keeps its chunks for a day for who is still running', () => {
    const example = packageOf('src/index.ts', 'dist/index.js');
    for (const path of ['index.js', 'gone.js', 'chunks/recent.js', 'chunks/old.js'])
      write(join('dist', path), 'before');
    utimesSync(join(directory, 'dist/chunks/old.js'), 0, 0);
    for (const path of ['index.js', 'chunks/new.js']) write(join('staged', path), 'after');

    publish(join(directory, 'staged'), example);

    expect(filesBelow(example.dist)).toEqual(['chunks/new.js', 'chunks/recent.js', 'index.js']);
    expect(read('dist/index.js')).toBe('after');
    expect(readdirSync(join(directory, 'staged'))).not.toContain('index.js');
    expect(existsSync(join(directory, 'dist/chunks/old.js'))).toBe(false);
  });
});

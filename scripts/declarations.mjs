import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from './files.mjs';
import { root } from './packages.mjs';
import { pruneDeclarations } from './prune-declarations.mjs';

/**
 * Writes the `.d.ts` files that the exports of a package reach, and checks that a consumer can resolve their imports.
 *
 * @param {import('./packages.mjs').Package} each
 * @param {string} target the directory that receives the files
 */
export function emitDeclarations({ name, directory, entries, external }, target) {
  const sources = join(directory, 'src');
  const project = join(target, 'tsconfig.json');
  const settings = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: { rootDir: sources, outDir: target },
    files: entries.map(({ source }) => source),
  };
  writeFileSync(project, JSON.stringify(settings));
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const tsc = [join(typescript, 'bin/tsc'), '-p', project];
  const { status, stdout } = spawnSync(process.execPath, tsc, { cwd: root, encoding: 'utf8' });
  rmSync(project);
  if (status !== 0) throw new Error(`the sources of ${name} have type errors\n${stdout}`);

  const emitted = filesBelow(target).filter((file) => file.endsWith('.d.ts'));
  const publicFiles = pruneDeclarations(
    new Map(emitted.map((file) => [file, readFileSync(join(target, file), 'utf8')])),
    entries.map(({ source }) => relative(sources, source).replace(/\.ts$/, '.d.ts')),
  );
  for (const [file, text] of publicFiles) {
    for (const specifier of importsOf(text)) {
      if (specifier.startsWith('.') || specifier.startsWith('node:') || external.includes(packageOf(specifier)))
        continue;
      throw new Error(`${file} of ${name} needs the types of ${specifier}: not in its dependencies`);
    }
    writeFileSync(join(target, file), text);
  }
  for (const file of emitted) if (!publicFiles.has(file)) rmSync(join(target, file));
}

/** @param {string} text */
function importsOf(text) {
  const specifiers = text.matchAll(/(?:\bfrom |\bimport\(|\bimport )(["'])([^"']+)\1/g);
  return [...specifiers].map(([, , specifier = '']) => specifier);
}

/** @param {string} specifier */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

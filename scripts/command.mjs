import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { bundle } from './bundle.mjs';
import { writeFile } from './files.mjs';
import { chunksOf, joinModules, namedByContent, uniqueNames } from './join.mjs';
import { writeNotices } from './notices.mjs';

/**
 * Builds a package with a command: a small first file, the program in a file named by its content hash, and chunks.
 *
 * @param {import('./packages.mjs').Package} each
 * @param {string} target the directory that receives the files
 */
export async function buildCommand(each, target) {
  const { outputFiles, metafile } = await bundle(each, {
    outdir: target,
    outExtension: { '.js': '.cjs' },
    entryNames: 'chunks/[name]-[hash]',
  });
  /** @type {Map<string, string>} */
  const chunks = new Map(outputFiles.map(({ path, text }) => [relative(each.directory, path), text]));
  writeNotices([metafile], each.directory, target);

  for (const { source, output } of each.entries) {
    const program = await joinChunks(programOf(relative(each.directory, source), metafile), chunks, metafile);
    const name = namedByContent(basename(source, '.ts'), program, '.cjs');
    writeFile(join(target, 'chunks', name), program);
    await writeFirstFile(join(target, relative(each.dist, output)), `./${name}`);
  }
  for (const [path, text] of chunks) writeFile(join(each.directory, path), await toCommonJs(text));
}

/** @param {string} entryPoint @param {import('esbuild').Metafile} metafile */
function programOf(entryPoint, { outputs }) {
  const program = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (program === undefined) throw new Error(`esbuild made nothing of ${entryPoint}`);
  return program;
}

/**
 * Joins a program and the chunks that it needs at start into one file, because every file that is read costs time.
 * Chunks that are loaded later find them there: see `provide` in program.cjs.
 *
 * @param {string} program
 * @param {Map<string, string>} chunks by path; those that were joined are taken out
 * @param {import('esbuild').Metafile} metafile
 */
async function joinChunks(program, chunks, { outputs }) {
  const provided = chunksOf([program], outputs);
  const provisions = [...uniqueNames(provided, outputs)].map(([path, names]) => provide(path, names));
  const contents = [`import './${basename(program)}';`, ...provisions].join('\n');
  const parts = [program, ...provided];
  const text = await joinModules(contents, new Map(parts.map((path) => [basename(path), chunks.get(path) ?? ''])));
  for (const path of parts) chunks.delete(path);
  return toCommonJs(text);
}

/**
 * Code that makes the exports of a joined chunk available to chunks that are loaded later.
 *
 * @param {string} path
 * @param {readonly { name: string, unique: string }[]} names
 */
function provide(path, names) {
  const id = JSON.stringify(`./${basename(path)}`);
  const imported = names.map(({ name, unique }) => `${name} as ${unique}`);
  const getters = names.map(({ name, unique }) => `get ${name}() { return ${unique}; }`);
  return `import { ${imported.join(', ')} } from ${id};\nprovide(${id}, () => ({ ${getters.join(', ')} }));`;
}

/**
 * A command is CommonJS because Node 20 starts it several milliseconds sooner. esbuild splits ES modules only, so its
 * chunks are converted afterwards. They load each other with `require`, and so they do with what Node has built in;
 * every other `import()` becomes the `importModule` of program.cjs, which loads them. Each is a function expression: to wrap a
 * text at run time copies it.
 *
 * @param {string} text
 */
async function toCommonJs(text) {
  const required = text.replace(/\bimport\(("\.{1,2}\/[^"]+\.cjs")\)/g, 'Promise.resolve().then(() => require($1))');
  const url = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';
  const { code } = await transform(required.replace(/^#!.*\n/, ''), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': 'importMetaUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    banner: `"use strict";${required.includes('import.meta.url') ? url : ''}`,
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const body = code.replace(/\.then\(\(\) => __toESM\(require\((?!"node:)/g, '.then(() => importModule((');
  return `(function (exports, require, module, __filename, __dirname, importModule, provide) { ${body}})\n`;
}

/**
 * Runs a command at its final path, so that V8's compiled code is cached. The cache is valid for that path only.
 *
 * @param {string} command
 */
export function compileCommand(command) {
  const clientInfo = { name: 'build', version: '1' };
  const session = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'hello' } } },
  ];
  const { status } = spawnSync(process.execPath, [command], {
    input: session.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 10_000,
  });
  if (status !== 0) process.stderr.write('build: the command did not run to its end, so its first start is slower\n');
}

/** @param {string} path @param {string} program */
async function writeFirstFile(path, program) {
  await build({
    entryPoints: [script('start.cjs')],
    outfile: path,
    banner: { js: '#!/usr/bin/env node' },
    define: { PROGRAM: JSON.stringify(program) },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  chmodSync(path, 0o755);
}

/** @param {string} name */
function script(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

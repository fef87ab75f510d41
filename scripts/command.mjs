import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { bundle } from './bundle.mjs';
import { writeFile } from './files.mjs';
import { writeNotices } from './notices.mjs';

/**
 * Builds a package that is started: a small first file, the program in a file named after its content, and chunks.
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
  const chunks = new Map();
  for (const { path, text } of outputFiles) chunks.set(relative(each.directory, path), await toCommonJs(text));
  const programs = each.entries.map(({ source }) => programOf(relative(each.directory, source), metafile));
  for (const program of programs) joinWhatItStartsWith(program, chunks, metafile);
  for (const [path, code] of chunks) writeFile(join(each.directory, path), code);
  writeNotices(metafile, each.directory, target);

  for (const [index, { output }] of each.entries.entries()) {
    const path = join(each.directory, programs[index] ?? '');
    keepCompiledCode(path);
    await writeFirstFile(join(target, relative(each.dist, output)), relative(target, path));
  }
}

/** @param {string} entryPoint @param {import('esbuild').Metafile} metafile */
function programOf(entryPoint, { outputs }) {
  const program = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (program === undefined) throw new Error(`esbuild made nothing of ${entryPoint}`);
  return program;
}

/**
 * Puts the chunks that a program can't start without into its own file: every file that is read costs time. Chunks that
 * are loaded later find them there, see `define` in program.cjs.
 *
 * @param {string} program
 * @param {Map<string, string>} chunks by path; those that were joined are taken out
 * @param {import('esbuild').Metafile} metafile
 */
function joinWhatItStartsWith(program, chunks, { outputs }) {
  /** @type {Set<string>} */
  const needed = new Set();
  const visit = (/** @type {string} */ path) => {
    for (const { path: other, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || !chunks.has(other) || needed.has(other)) continue;
      needed.add(other);
      visit(other);
    }
  };
  visit(program);
  const parts = [...needed].map((path) => {
    const parameters = 'exports, require, module, __filename, __dirname, importModule';
    return `define(${JSON.stringify(`./${basename(path)}`)}, function (${parameters}) { ${chunks.get(path)}\n});\n`;
  });
  for (const path of needed) chunks.delete(path);
  chunks.set(program, `"use strict";${parts.join('')}${chunks.get(program)}`);
}

/**
 * A command is CommonJS because Node 20 starts it several milliseconds sooner. esbuild splits ES modules only, so its
 * chunks are converted afterwards. They load each other with `require`, and so they do with what Node has built in;
 * every other `import()` becomes the `importModule` of program.cjs, which loads them.
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
    logLevel: 'warning',
  });
  return code.replace(/\.then\(\(\) => __toESM\(require\((?!"node:)/g, '.then(() => importModule((');
}

/** @param {string} program */
function keepCompiledCode(program) {
  const clientInfo = { name: 'build', version: '1' };
  const session = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'hello' } } },
  ];
  const { status } = spawnSync(process.execPath, [script('warm-up.cjs'), program], {
    input: session.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 10_000,
  });
  if (status !== 0)
    process.stderr.write('build: the program did not run to its end, so it will start a little slower\n');
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

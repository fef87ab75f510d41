import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
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
  for (const { path, text } of outputFiles) writeFile(path, await toCommonJs(text));
  writeNotices(metafile, each.directory, target);

  for (const { source, output } of each.entries) {
    const entryPoint = relative(each.directory, source);
    const program = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === entryPoint);
    if (program === undefined) throw new Error(`esbuild made nothing of ${entryPoint}`);
    const path = join(each.directory, program);
    keepCompiledCode(path);
    await writeFirstFile(join(target, relative(each.dist, output)), relative(target, path));
  }
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

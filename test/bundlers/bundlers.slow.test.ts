import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installPackages } from '../peers/install.ts';
import { emptyFolder } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';
import { McpClient } from '../support/mcp-client.ts';
import { linkedProject } from '../support/project.ts';
import { childWire } from '../support/wires.ts';

const run = promisify(execFile);

const folderOfBundlers = fileURLToPath(new URL('.', import.meta.url));
const bundlers = join(folderOfBundlers, 'node_modules');
const problem = await installPackages(folderOfBundlers);
if (problem !== undefined) console.log(`Bundlers are not tested: ${problem}`);

const server = `
import { createServer, tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
const input = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
serveStdio(createServer({ name: 'bundled', version: '1', tools: [tool('echo', { input }, ({ message }) => message)] }));
`;

const answers = ['bundled', 'hi', expect.stringContaining('expected string')];

/** Responses of a server: before the rest is loaded, after it, and one that needs the validator. */
async function askServer(args: readonly string[], cwd: string): Promise<string[]> {
  const wire = childWire(process.execPath, [...args], { cwd });
  onTestFinished(() => wire.close());
  const client = new McpClient(wire, { version: '2025-11-25' });
  const { name } = (await client.initialize()).result.serverInfo;
  expect((await client.request('tools/list')).tools).toHaveLength(1);
  const call = async (message: unknown): Promise<string> =>
    (await client.request('tools/call', { name: 'echo', arguments: { message } })).content[0].text;
  return [name, await call('hi'), await call(1)];
}

describe.skipIf(problem !== undefined)('a server that is bundled', () => {
  it.each([
    { format: 'esm', splitting: false, file: 'bundled.mjs' },
    { format: 'cjs', splitting: false, file: 'bundled.cjs' },
    { format: 'esm', splitting: true, file: 'out/server.js' },
  ] as const)('by esbuild, $format, splitting: $splitting, is served', async ({ format, splitting, file }) => {
    const folder = linkedProject({ 'server.mjs': server });
    await build({
      absWorkingDir: folder,
      entryPoints: ['server.mjs'],
      bundle: true,
      platform: 'node',
      format,
      splitting,
      ...(splitting ? { outdir: 'out' } : { outfile: file }),
    });
    expect(await askServer([file], folder)).toEqual(answers);
  });

  it.each([
    { flags: ['--format', 'es', '--dir', 'out', '--entryFileNames', '[name].mjs'], file: 'out/server.mjs' },
    { flags: ['--format', 'cjs', '--inlineDynamicImports', '--file', 'bundled.cjs'], file: 'bundled.cjs' },
  ])('by Rollup, $file, is served', async ({ flags, file }) => {
    const folder = linkedProject({ 'server.mjs': server });
    const rollup = join(bundlers, 'rollup/dist/bin/rollup');
    const resolve = join(bundlers, '@rollup/plugin-node-resolve');
    const plugin = join(resolve, 'dist/cjs/index.js');
    await run(process.execPath, [rollup, 'server.mjs', '--plugin', plugin, ...flags, '--silent'], { cwd: folder });
    expect(await askServer([file], folder)).toEqual(answers);
  });

  it('by ncc is served', async () => {
    const folder = linkedProject({ 'server.mjs': server });
    const ncc = join(bundlers, '@vercel/ncc/dist/ncc/cli.js');
    await run(process.execPath, [ncc, 'build', 'server.mjs', '--out', 'out', '--quiet'], { cwd: folder });
    expect(await askServer(['out/index.mjs'], folder)).toEqual(answers);
  });
});

it.skipIf(problem !== undefined)('a server in a project with Plug’n’Play of Yarn is served', async () => {
  const folder = emptyFolder();
  const yarn = join(bundlers, '@yarnpkg/cli-dist/bin/yarn.js');
  const dependencies = { '@ccmcp/core': `portal:${join(root, 'packages/core')}` };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'mine', type: 'module', dependencies }));
  writeFileSync(join(folder, '.yarnrc.yml'), 'nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\n');
  writeFileSync(join(folder, 'yarn.lock'), '');
  writeFileSync(join(folder, 'server.mjs'), server);
  const env = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };
  await run(process.execPath, [yarn, 'install'], { cwd: folder, env });
  expect(await askServer([yarn, 'node', 'server.mjs'], folder)).toEqual(answers);
});

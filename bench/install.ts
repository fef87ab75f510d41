import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the peers, and stages this repository's packages beside them as they would be published. */
export function install(folder: string, { build }: { build: boolean }): void {
  const peers = join(folder, 'peers');
  if (!isInstalled(peers)) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], peers);
  if (build) run(process.execPath, [join(folder, '../scripts/setup.mjs')], join(folder, '..'));
  stage(join(folder, '../packages/core'), join(peers, 'node_modules/@ccmcp/core'));
  // It finds ioredis where this repository has it.
  stage(join(folder, '../packages/redis'), join(peers, 'node_modules/@ccmcp/redis'));
  stage(join(folder, '../packages/gateway'), join(peers, 'node_modules/@ccmcp/gateway'));
  stage(join(folder, '../packages/inspector'), join(peers, 'node_modules/@ccmcp/inspector'));
  stage(join(folder, '../packages/cli'), join(peers, 'node_modules/ccmcp'));
}

/** The versions that are compared, by package. */
export function versions(folder: string): Record<string, string> {
  const peers = join(folder, 'peers');
  const { dependencies } = readJson(join(peers, 'package.json')) as { dependencies: Record<string, string> };
  const { version } = readJson(join(folder, '../packages/core/package.json')) as { version: string };
  return { '@ccmcp/core': version, ...dependencies };
}

function isInstalled(peers: string): boolean {
  const lock = join(peers, 'node_modules/.package-lock.json');
  if (!existsSync(lock)) return false;
  const installed = (readJson(lock) as { packages: Record<string, { version: string }> }).packages;
  const { dependencies } = readJson(join(peers, 'package.json')) as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(
    ([name, version]) => installed[`node_modules/${name}`]?.version === version,
  );
}

/** Copies what a package publishes, so that a build during the run changes nothing. */
function stage(source: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(join(source, 'dist'), join(target, 'dist'), { recursive: true, preserveTimestamps: true });
  removeStale(join(target, 'dist'));
  const manifest = readFileSync(join(source, 'package.json'), 'utf8');
  writeFileSync(join(target, 'package.json'), manifest.replace(/^\s*"ccmcp-source": .*\n/gm, ''));
}

/** Removes chunks of earlier builds, which are not published. */
function removeStale(dist: string): void {
  const chunks = join(dist, 'chunks');
  if (!existsSync(chunks)) return;
  const read = (path: string): string => readFileSync(path, 'utf8');
  const unnamed = new Set(readdirSync(chunks));
  let texts = readdirSync(dist)
    .filter((name) => /\.c?js$/.test(name))
    .map((name) => read(join(dist, name)));
  while (texts.length > 0) {
    const named = [...unnamed].filter((name) =>
      texts.some((text) => text.includes(name.replace(/\.cjs\..*\.v8$/, '.cjs'))),
    );
    for (const name of named) unnamed.delete(name);
    texts = named.filter((name) => /\.c?js$/.test(name)).map((name) => read(join(chunks, name)));
  }
  for (const name of unnamed) rmSync(join(chunks, name));
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

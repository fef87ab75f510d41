import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from './packages.mjs';

// Tests the build in other runtimes, or in the given ones: `npm run test:runtimes -- bun`. They are installed from the
// npm registry into a cache outside the repository. A runtime that can't be installed is skipped with a message; with
// CCMCP_TEST_EVERYTHING=true that is an error.

const everything = process.env.CCMCP_TEST_EVERYTHING === 'true';
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ccmcp', 'runtimes');
const { platform, arch } = process;
const system = platform === 'win32' ? 'windows' : platform;
const exe = platform === 'win32' ? '.exe' : '';
const libc = platform === 'linux' ? '-glibc' : platform === 'win32' ? '-msvc' : '';
const everywhere = join(root, 'test/runtimes/program.mjs');

/**
 * @typedef {object} Runtime
 * @property {string} name
 * @property {string} package what the registry calls it, for this machine
 * @property {string} version
 * @property {string} program where it is in that package
 * @property {(program: string) => { command: string, args: string[], env?: Record<string, string> }} run
 */

/** @type {Runtime[]} */
const runtimes = [
  {
    name: 'node',
    package: `node-${platform === 'win32' ? 'win' : platform}-${arch}`,
    version: '20.0.0',
    program: `bin/node${exe}`,
    run: (program) => ({ command: program, args: [everywhere] }),
  },
  {
    name: 'bun',
    package: `@oven/bun-${system}-${arch === 'arm64' ? 'aarch64' : arch}`,
    version: '1.4.4',
    program: `bin/bun${exe}`,
    run: (program) => ({ command: program, args: [everywhere] }),
  },
  {
    name: 'deno',
    package: `@deno/${platform}-${arch}${libc}`,
    version: '2.9.6',
    program: `deno${exe}`,
    run: (program) => ({ command: program, args: ['run', '-A', everywhere], env: { RUNTIME_FLAGS: 'run -A' } }),
  },
  {
    name: 'workerd',
    package: `@cloudflare/workerd-${system}-${arch === 'x64' ? '64' : arch}`,
    version: '1.20261104.1',
    program: `bin/workerd${exe}`,
    run: (program) => ({ command: process.execPath, args: [join(root, 'test/runtimes/workerd.mjs'), program] }),
  },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !runtimes.some((runtime) => runtime.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no runtime ${unknown.join(', ')} here: choose ${runtimes.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
for (const runtime of runtimes.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const title = `${runtime.name} ${runtime.version}`;
  const program = await install(runtime);
  if (program === undefined) {
    console.error(`${title} is left out: npm could not install ${runtime.package}. Is the registry within reach?`);
    if (everything) process.exitCode = 1;
    continue;
  }
  console.log(title);
  const { command, args, env } = runtime.run(program);
  if ((await start(command, args, { cwd: root, env: { ...process.env, ...env } })) === 0) continue;
  console.error(`${title} failed: look at the lines above`);
  process.exitCode = 1;
}

/** @param {Runtime} runtime @returns {Promise<string | undefined>} the path of its program */
async function install({ name, package: packageName, version, program }) {
  const folder = join(cache, `${name}-${version}`);
  const path = join(folder, 'node_modules', packageName, program);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const args = ['install', `${packageName}@${version}`, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const options = { cwd: folder, shell: platform === 'win32' };
  await start('npm', [...args, '--ignore-scripts', '--silent', '--prefix', folder], options);
  return existsSync(path) ? path : undefined;
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options */
async function start(command, args, options) {
  const [status] = await once(spawn(command, args, { ...options, stdio: 'inherit' }), 'exit');
  return status;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { builtFrom, fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { packages, root } from './packages.mjs';

// Sets up a clone: installs what is missing and builds what is out of date. All output goes to stderr, because
// `./ccmcp` may be talking to a client on stdout.

const signals = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });
/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
/** @type {number | undefined} */
let interrupted;

for (const [signal, code] of Object.entries(signals)) {
  process.on(signal, () => {
    // The lock must outlive npm, or the next set-up would install into the same folder at the same time.
    if (running === undefined) process.exit(code);
    interrupted = code;
    running.kill('SIGTERM');
  });
}

if (mustInstall() || mustBuild()) {
  await withLock(join(root, '.setup.lock'), {
    waiting: (pid) => say(`waiting for process ${pid}, which is setting up (if it is not, remove .setup.lock)`),
    work: async () => {
      if (mustInstall()) await install();
      if (mustBuild()) await build();
    },
  });
}

/** npm records what it installed: that must match package-lock.json. */
function mustInstall() {
  const installed = readLockfile(join(root, 'node_modules/.package-lock.json'));
  const wanted = readLockfile(join(root, 'package-lock.json'));
  return Object.entries(wanted).some(([path, { integrity, optional }]) => {
    if (path === '' || optional) return false;
    return installed[path] === undefined || installed[path].integrity !== integrity;
  });
}

function mustBuild() {
  const entries = packages.flatMap((each) => each.entries).filter(({ source }) => existsSync(source));
  return builtFrom() !== fingerprint() || !entries.every(({ output }) => existsSync(output));
}

async function install() {
  say('installing dependencies (npm ci)');
  const status = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  fail(`npm could not install the dependencies. Look at its message above, then run "npm ci" in ${root}.`);
}

async function build() {
  say('building');
  const status = await run(process.execPath, [join(root, 'scripts/build.mjs')]);
  if (status === 0) return;
  fail(`the build failed. Look at its message above, then run "npm run build" in ${root}.`);
}

/** @param {string} command @param {string[]} args @param {{ shell?: boolean }} [options] */
async function run(command, args, options = {}) {
  // A desktop program may start us with a PATH without npm; it is usually beside node.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, NO_COLOR: '1', npm_config_color: 'false', npm_config_progress: 'false' };
  running = spawn(command, args, { ...options, cwd: root, env, stdio: ['ignore', 2, 2] });
  const [status] = await once(running, 'exit').catch((error) => [say(error.message)]);
  running = undefined;
  if (interrupted !== undefined) process.exit(interrupted);
  return status;
}

/** @param {string} path @returns {Record<string, { integrity?: string, optional?: boolean }>} */
function readLockfile(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/** @param {string} text */
function say(text) {
  // stderr may be closed, which is no reason to fail.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(`ccmcp set-up: ${text}\n`);
}

/** @param {string} text @returns {never} */
function fail(text) {
  say(text);
  process.exit(1);
}

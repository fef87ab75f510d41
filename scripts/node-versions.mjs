import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './packages.mjs';

// Runs the quick tests with the newest Node of each line below, or of those that are named: `npm run test:nodes -- 24`.
// The programs are kept outside the repository. The question is what works with which Node: a red run is repeated once,
// and only what is red again counts. What was red the first time is said at the end, because tests have to be steady.

const lines = ['22', '24', '26'];
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ccmcp', 'nodes');

/** @type {string[]} */
const red = [];
/** @type {string[]} */
const unsteady = [];
const asked = process.argv.slice(2);
for (const line of asked.length > 0 ? asked : lines) {
  const node = await install(line);
  const version = await versionOf(node);
  console.log(`\n== Node ${version}`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // Tests start `node`, too: that has to be the same one.
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  const test = () => run(node, [vitest, 'run'], { cwd: root, env });
  if ((await test()) === 0) continue;
  console.log(`\n== Node ${version}, once more`);
  if ((await test()) === 0) unsteady.push(version);
  else red.push(version);
}
if (unsteady.length > 0)
  console.log(`\nRed once and then green with Node ${unsteady.join(', ')}: mend the failures above.`);
if (red.length > 0) {
  console.error(`\nRed with Node ${red.join(', ')}: look at the failures above.`);
  process.exit(1);
}

/** @param {string} line @returns {Promise<string>} the path of the newest Node of that line */
async function install(line) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(cache, line);
  mkdirSync(folder, { recursive: true });
  const args = ['install', `${name}@${line}`, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--silent'];
  const status = await run('npm', [...args, '--prefix', folder], { cwd: folder, shell: process.platform === 'win32' });
  const node = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    console.error(`npm could not install Node ${line} (package ${name}) into ${folder}. Is the registry within reach?`);
    process.exit(1);
  }
  if (status !== 0)
    console.error(`npm could not look for a newer Node ${line}: the tests run with the one that is there`);
  return node;
}

/** @param {string} node @returns {Promise<string>} */
async function versionOf(node) {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text.trim().slice(1);
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options */
async function run(command, args, options) {
  const [status] = await once(spawn(command, args, { ...options, stdio: 'inherit' }), 'exit');
  return status;
}

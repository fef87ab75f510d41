import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { otherLines, otherNode } from './other-nodes.mjs';
import { root } from './packages.mjs';
import { redFilesIn } from './red-files.mjs';

// Runs the quick tests with the newest Node of each line below, or of those that are named: `npm run test:nodes -- 24`.
// The programs are kept outside the repository. The question is what works with which Node: files that are red run once more,
// and only what is red again counts. What was red the first time is said at the end, because tests have to be steady.

/** Pages are shown by the same browser, whatever serves them: they are left out. */
const inBrowser = ['--exclude', 'test/browser/**'];

/** @type {string[]} */
const red = [];
/** @type {string[]} */
const unsteady = [];
const asked = process.argv.slice(2);
for (const line of asked.length > 0 ? asked : otherLines) {
  const found = await otherNode(line);
  if (found === undefined) process.exit(1);
  const { path: node, version } = found;
  console.log(`\n== Node ${version}`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // Tests start `node`, too: that has to be the same one.
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  const report = join(mkdtempSync(join(tmpdir(), 'ccmcp-nodes-')), 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const test = (/** @type {string[]} */ files) =>
    run(node, [vitest, 'run', ...reporters, ...inBrowser, ...files], { cwd: root, env });
  if ((await test([])) !== 0) {
    console.log(`\n== Node ${version}, once more`);
    if ((await test(redFilesIn(report))) === 0) unsteady.push(version);
    else red.push(version);
  }
  rmSync(dirname(report), { recursive: true, force: true });
}
if (unsteady.length > 0)
  console.log(`\nRed once and then green with Node ${unsteady.join(', ')}: mend the failures above.`);
if (red.length > 0) {
  console.error(`\nRed with Node ${red.join(', ')}: look at the failures above.`);
  process.exit(1);
}

/** @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options */
async function run(command, args, options) {
  const [status] = await once(spawn(command, args, { ...options, stdio: 'inherit' }), 'exit');
  return status;
}

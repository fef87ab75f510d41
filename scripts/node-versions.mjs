import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { otherLines, otherNode } from './other-nodes.mjs';
import { root } from './packages.mjs';
import { runtimeTests } from './test-groups.mjs';

// Runs quick tests with the newest Node of each line below, or of the given ones: `npm run test:nodes -- 24`. The
// newest line runs all tests, the others those that depend on Node; `--all` runs all on each. The Nodes are cached
// outside the repository.

const words = process.argv.slice(2);
const runsAll = words.includes('--all');
const asked = words.filter((word) => word !== '--all');

/** @type {string[]} */
const red = [];
for (const line of asked.length > 0 ? asked : otherLines) {
  const found = await otherNode(line);
  if (found === undefined) process.exit(1);
  const { path: node, version } = found;
  const files = runsAll || line === otherLines.at(-1) ? [] : runtimeTests;
  console.log(`\n== Node ${version}: ${files.length > 0 ? 'what depends on the runtime' : 'all quick tests'}`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // Tests also start `node` from the PATH: it must be the same one.
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  const child = spawn(node, [vitest, 'run', ...files], { cwd: root, env, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) red.push(version);
}
if (red.length > 0) {
  console.error(`\nRed with Node ${red.join(', ')}: look at the failures above.`);
  process.exit(1);
}

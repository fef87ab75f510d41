import { readFileSync } from 'node:fs';

// Reads the reports of test runs. Says how many tests were passed and which were skipped, and fails where something that
// must be tested was not: the tests of a thing that is not there may be missing altogether, instead of being skipped.
// Where a test ran more than once, what the last report says counts.

/** Programs that could not be had on this machine. */
const without = (process.env.CCMCP_TEST_WITHOUT ?? '').split(/\s+/);

const demanded = {
  PostgreSQL: /PostgreSQL/,
  Redis: /Redis/,
  'the servers of others': /^a server made with /,
  'the official servers': /^the official server /,
  terminals: /^on a terminal /,
  ...(!without.includes('nginx') && { nginx: /^the configuration for nginx / }),
  ...(!without.includes('caddy') && { Caddy: /^the configuration for Caddy |^the Caddyfile / }),
};

const runs = process.argv
  .slice(2)
  .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).testResults)
  .flatMap(({ name: file, assertionResults }) => assertionResults.map((test) => ({ file, ...test })));
const tests = [...new Map(runs.map((test) => [`${test.file} ${test.fullName}`, test])).values()];
const passed = tests.filter(({ status }) => status === 'passed');
const skipped = tests.filter(({ status }) => status !== 'passed');

console.log(`${passed.length} tests passed, ${skipped.length} skipped`);
for (const { fullName } of skipped) console.log(`  skipped: ${fullName}`);

const isOf = (pattern) => (test) => pattern.test(test.fullName);
const missing = Object.entries(demanded)
  .filter(([, pattern]) => !passed.some(isOf(pattern)) || skipped.some(isOf(pattern)))
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`Not tested, but demanded: ${missing.join(', ')}`);
  process.exit(1);
}

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

// Reads the reports of test runs. Says which tests were skipped and how many passed and failed, and fails where one failed or where
// something that must be tested was not: the tests of a thing that is not there may be missing altogether, instead of being skipped.

/** Programs that could not be had on this machine. */
const without = (process.env.CCMCP_TEST_WITHOUT ?? '').split(/\s+/);

const demanded = {
  PostgreSQL: /PostgreSQL/,
  Redis: /Redis/,
  'the servers of others': /^a server made with /,
  'the official servers': /^the official server /,
  terminals: /^on a terminal /,
  ...(!without.includes('chromium') && { browsers: /^test\/browser\// }),
  ...(!without.includes('nginx') && { nginx: /^the configuration for nginx / }),
  ...(!without.includes('caddy') && { Caddy: /^the configuration for Caddy |^the Caddyfile / }),
};

/** The tests of a report, each as the path of its file and its name. */
const testsOf = (report) =>
  JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ file: relative(process.cwd(), file), fullName, status })),
  );
const tests = process.argv.slice(2).flatMap(testsOf);
const passed = tests.filter(({ status }) => status === 'passed');
const failed = tests.filter(({ status }) => status === 'failed');
const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');

for (const { fullName } of skipped) console.log(`skipped: ${fullName}`);

const isOf = (pattern) => (test) => pattern.test(test.fullName) || pattern.test(test.file);
const missing = Object.entries(demanded)
  .filter(([, pattern]) => !passed.some(isOf(pattern)) || skipped.some(isOf(pattern)))
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`Not tested, but demanded: ${missing.join(', ')}`);
  process.exit(1);
}
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (failed.length > 0) process.exit(1);

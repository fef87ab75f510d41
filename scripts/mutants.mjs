import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { root } from './packages.mjs';

// Runs mutation tests of a folder: changes its sources in one place at a time and runs the tests that reach it. A
// mutant that no test detects shows an untested line.

const usage = 'npm run mutants -- [folder or file] [--concurrency n] [--fresh]';
const core = 'packages/core/src';

/** Tests in other folders that run the code of a folder in this process. */
const elsewhere = [
  { folder: `${core}/server`, tests: ['test/matrix', `${core}/testing`] },
  { folder: `${core}/revisions`, tests: ['test/matrix'] },
  { folder: `${core}/client`, tests: ['test/client', `${core}/transports`, `${core}/testing`] },
  { folder: `${core}/stores`, tests: [`${core}/transports/http`] },
  { folder: `${core}/transports`, tests: ['test/client', 'test/http', 'test/matrix'] },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string' }, fresh: { type: 'boolean', default: false } },
});

const target = targetOf(positionals[0] ?? core);
const isFile = statSync(join(root, target)).isFile();
const output = join(root, '.mutants', target.replaceAll('/', '-'));
process.chdir(root);
process.env.MUTANTS_TESTS = JSON.stringify(testsFor(target));

await new Stryker({
  mutate: isFile ? [target] : [`${target}/**/*.ts`, '!**/*.test.ts', '!**/fixtures/**'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutants.vitest.mts', related: false },
  coverageAnalysis: 'perTest',
  // Code that runs at module load would need a new process for each mutant.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: join(output, 'incremental.json'),
  force: values.fresh,
  concurrency: concurrency(values.concurrency),
  // Long enough that a busy machine causes no timeout; a mutant that makes tests wait forever counts as killed.
  timeoutMS: 10_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 15,
  // Copies only what the tests read. The tsconfig file does not exist: no compiler is needed.
  tsconfigFile: 'none',
  ignorePatterns: ['.mutants', 'dist', 'coverage', 'bench', '*.tgz'],
  tempDirName: '.mutants/sandbox',
  cleanTempDir: 'always',
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: join(output, 'report.html') },
  jsonReporter: { fileName: join(output, 'report.json') },
  allowConsoleColors: false,
}).runMutationTest();

summarize(join(output, 'report.json'));

/** @param {string} named A path, or a folder of the core. */
function targetOf(named) {
  const found = [resolve(named), join(root, named), join(root, core, named)].find((path) => existsSync(path));
  if (found === undefined) fail(`There is no ${named}, neither here nor in ${core}.`);
  const path = relative(root, found).split(sep).join('/');
  if (!/^packages\/\w+\/src(\/|$)/.test(path)) fail(`${path} has no sources of a package.`);
  return path;
}

/**
 * The tests beside a target, and those in other folders that run it.
 *
 * @param {string} target
 */
function testsFor(target) {
  const beside = isFile ? target.slice(0, target.lastIndexOf('/')) : target;
  const more = elsewhere.filter(
    ({ folder }) => `${beside}/`.startsWith(`${folder}/`) || folder.startsWith(`${beside}/`),
  );
  return [beside, ...more.flatMap(({ tests }) => tests)].map((folder) => `${folder}/**/*.test.ts`);
}

/** @param {string | undefined} given */
function concurrency(given) {
  if (given === undefined) return availableParallelism();
  if (!/^[1-9]\d*$/.test(given)) fail(`--concurrency takes a number of processes, not ${given}.`);
  return Number(given);
}

/** @param {string} file Where the JSON report is. */
function summarize(file) {
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const { files } = JSON.parse(readFileSync(file, 'utf8'));
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  const count = (/** @type {string[]} */ ...states) => all.filter(({ status }) => states.includes(status)).length;
  const found = count('Killed', 'Timeout');
  const missed = count('Survived', 'NoCoverage');
  const score = found + missed === 0 ? 100 : (100 * found) / (found + missed);
  const late = count('Timeout');
  const how = late === 0 ? '' : `; ${late} of them because the tests did not end`;
  console.log(`${target}: ${found} of ${found + missed} mutants found, ${score.toFixed(1)} %${how}`);
}

/** @param {string} text @returns {never} */
function fail(text) {
  console.error(`${text}\nUsage: ${usage}`);
  process.exit(2);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundle } from '../support/bundle.mjs';

// Runs the official conformance suites against the fixture server or client:  npm run conformance -- server|client
// With gateway-stdio or gateway-http, the fixture server is behind a gateway; with plugins, it has all middleware for models.
// One line per leg: how many scenarios pass, of all that the leg has. What fails is named, and so is what belongs to an
// extension that is not there; the exit code is that of the other scenarios.

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, '../../node_modules');

/** Unsupported extensions with their scenarios, which are expected to fail. */
/** @type {{ extension: string, scenarios: RegExp }[]} */
const absent = [];

/**
 * @typedef {object} Leg
 * @property {string} name
 * @property {string} suite the alias that package.json gives it
 * @property {string[]} args
 * @property {string} [requirements] the revision whose scored scenarios count; without it all do
 */

/** @type {Leg[]} */
const legs = [
  { name: '0.1.16 all', suite: 'conformance-stable', args: ['--suite', 'all'] },
  ...['2025-11-25', '2026-07-28'].map((version) => ({
    name: `0.2.0-alpha.12 requirements ${version}`,
    suite: 'conformance-next',
    args: ['--requirements', version],
    requirements: version,
  })),
  { name: '0.2.0-alpha.12 all', suite: 'conformance-next', args: ['--suite', 'all'] },
];

const subject = process.argv[2] ?? '';
const fixtures = /** @type {Record<string, { entry: string, args: string[] }>} */ ({
  server: { entry: 'main', args: [] },
  plugins: { entry: 'plugins', args: [] },
  client: { entry: 'client', args: [] },
  'gateway-stdio': { entry: 'gateway', args: ['stdio'] },
  'gateway-http': { entry: 'gateway', args: ['http'] },
});
const fixture = fixtures[subject];
if (fixture === undefined) {
  console.error(`Usage: npm run conformance -- ${Object.keys(fixtures).join('|')}`);
  process.exit(2);
}
const { entry: fixtureEntry, args: fixtureArgs } = fixture;
const mode = subject === 'client' ? 'client' : 'server';

const work = mkdtempSync(join(tmpdir(), 'conformance-'));
const programs = new Map(legs.map(({ suite }) => [suite, runnable(suite)]));
let failed = false;
try {
  const entry = await bundled(fixtureEntry);
  // A client leg starts all its scenarios at once; a server leg runs them one by one, so legs can run in parallel.
  const outcomes = mode === 'server' ? await Promise.all(legs.map((leg) => tryServer(leg, entry))) : tryClient(entry);
  for await (const { line, failures, warnings, missing } of outcomes) {
    console.log(line);
    for (const each of [...missing, ...failures, ...warnings]) console.log(`  ${each}`);
    if (failures.length > 0) failed = true;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** @param {string} entry */
async function bundled(entry) {
  const outfile = join(work, `${entry}.mjs`);
  await bundle(join(here, `${entry}.ts`), outfile);
  return outfile;
}

/** Runs a leg against a server of its own. */
/** @param {Leg} leg @param {string} entry */
async function tryServer(leg, entry) {
  const child = spawn(process.execPath, [entry, ...fixtureArgs], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [url] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error('The fixture server did not start'))),
    ]);
    return await runLeg(leg, ['--url', String(url).replace('127.0.0.1', 'localhost')]);
  } finally {
    child.kill();
  }
}

/** Runs the legs one after another. */
/** @param {string} entry */
async function* tryClient(entry) {
  const target = ['--command', `${process.execPath} ${entry}`, '--timeout', '120000'];
  for (const leg of legs) yield await runLeg(leg, target);
}

/** @param {Leg} leg @param {string[]} target */
async function runLeg(leg, target) {
  const out = join(work, leg.name.replaceAll(' ', '-'));
  const started = Date.now();
  const log = await runSuite(programOf(leg.suite), [mode, ...target, '-o', out, ...leg.args]);
  const verdicts = new Map(
    [...log.text.matchAll(/^([✓✗]) ([\w/.-]+): /gm)].map(([, mark, scenario]) => [String(scenario), mark === '✓']),
  );
  const counted = [...scored(leg, verdicts)];
  const isExpected = (/** @type {string} */ scenario) => !absent.some(({ scenarios }) => scenarios.test(scenario));
  const failing = () => counted.filter((scenario) => verdicts.get(scenario) !== true);
  const again = mode === 'client' ? failing().filter(isExpected) : [];
  for (const scenario of again) verdicts.set(scenario, await passesAlone(leg, target, scenario, out));
  const checks = readChecks(out, verdicts);
  const isHollow = (/** @type {string} */ scenario) => !(checks.get(scenario) ?? []).some(isRealSuccess);
  // The suite passes a server that lacks an extension, which proves nothing.
  for (const scenario of counted) if (!isExpected(scenario) && isHollow(scenario)) verdicts.set(scenario, false);
  const passed = counted.filter((scenario) => verdicts.get(scenario) === true);
  const missing = absent.flatMap(({ extension, scenarios }) => {
    const own = failing().filter((scenario) => scenarios.test(scenario));
    return own.length === 0 ? [] : [`${own.length} of the extension ${extension}, not there: ${own.join(' ')}`];
  });
  const failures = failing()
    .filter(isExpected)
    .flatMap((scenario) => [`FAIL ${scenario}`, ...messages(checks.get(scenario), 'FAILURE')]);
  const warnings = counted.filter(isExpected).flatMap((scenario) => messages(checks.get(scenario), 'WARNING'));
  const hollow = passed.filter(isHollow);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const notes = [
    ...(again.length > 0 ? [`run again singly: ${again.join(' ')}`] : []),
    ...(hollow.length > 0 ? [`passed without a check: ${hollow.join(' ')}`] : []),
  ];
  const timing = [`${seconds} s`, ...notes].join(', ');
  const line = `${subject} ${leg.name} ${passed.length}/${counted.length} ${warnings.length} warnings (${timing})`;
  return { line, failures, warnings, missing };
}

/**
 * Runs a scenario alone: client legs start all at once, which makes some fail on a small machine.
 *
 * @param {Leg} leg
 * @param {string[]} target
 * @param {string} scenario
 * @param {string} out
 */
async function passesAlone({ suite, requirements }, target, scenario, out) {
  const version = requirements === undefined ? [] : ['--spec-version', requirements, '--force'];
  const args = ['client', ...target, '-o', out, '--scenario', scenario, ...version];
  return (await runSuite(programOf(suite), args)).code === 0;
}

/** The scenarios that count: those a requirement set names, or all. */
/** @param {Leg} leg @param {Map<string, boolean>} verdicts */
function scored({ suite, requirements }, verdicts) {
  if (requirements === undefined) return [...verdicts.keys()];
  const text = readFileSync(join(modules, suite, 'requirements', `${requirements}.yaml`), 'utf8');
  const section = new RegExp(`^${mode}:\\n((?:[ \\t]+.*\\n|#.*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
  const names = [...section.matchAll(/^\s+- (\S+)\s*$/gm)].map(([, name]) => String(name));
  if (names.length === 0) throw new Error(`No scenarios in the requirements of ${requirements}`);
  return names;
}

/**
 * The checks of each scenario, from the files of the suite.
 *
 * @param {string} directory
 * @param {Map<string, boolean>} verdicts
 */
function readChecks(directory, verdicts) {
  /** @type {Map<string, { id: string, status: string, errorMessage?: string }[]>} */
  const checks = new Map();
  if (!existsSync(directory)) return checks;
  for (const path of readdirSync(directory, { recursive: true })) {
    if (basename(String(path)) !== 'checks.json') continue;
    const folder = relative(directory, join(directory, dirname(String(path)))).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const scenario = verdicts.has(folder) ? folder : folder.replace(/^(server|client)-/, '');
    checks.set(scenario, JSON.parse(readFileSync(join(directory, String(path)), 'utf8')));
  }
  return checks;
}

/** @param {{ id: string, status: string, errorMessage?: string }[] | undefined} checks @param {string} status */
function messages(checks = [], status) {
  return checks
    .filter((check) => check.status === status)
    .map(({ id, errorMessage = '' }) => `  ${status} ${id}: ${errorMessage}`);
}

/** @param {{ id: string, status: string }} check */
function isRealSuccess({ id, status }) {
  return status === 'SUCCESS' && !id.startsWith('wire-schema');
}

/**
 * The suite imports `globSync`, which Node 20 lacks, for a command that is not used here.
 *
 * @param {string} suite
 */
function runnable(suite) {
  const bundle = join(modules, suite, 'dist/index.js');
  if (Number(process.versions.node.split('.')[0]) >= 22) return bundle;
  const copy = join(dirname(bundle), 'index.node20.mjs');
  writeFileSync(copy, readFileSync(bundle, 'utf8').replace(/globSync as [A-Za-z$_]+,/, ''));
  return copy;
}

/** @param {string} suite */
function programOf(suite) {
  return String(programs.get(suite));
}

/** @param {string} bundle @param {string[]} args */
async function runSuite(bundle, args) {
  const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  }
  const [code] = await once(child, 'close');
  // Colours are for people.
  // oxlint-disable-next-line no-control-regex
  return { code, text: log.replace(/\x1b\[[0-9;]*m/g, '') };
}

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildCommand, compileCommand } from './command.mjs';
import { fingerprint, recordBuild } from './fingerprint.mjs';
import { buildLibrary } from './library.mjs';
import { packages, root } from './packages.mjs';
import { buildPage, copyPage } from './page.mjs';
import { publish } from './publish.mjs';

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

try {
  // Computed first: if a source changes during the build, the next set-up builds again.
  const sources = fingerprint();
  for (const each of packages) await buildPackage(each);
  recordBuild(sources);
} catch (error) {
  process.stderr.write(`build: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** @param {import('./packages.mjs').Package} declared */
async function buildPackage(declared) {
  const entries = declared.entries.filter(({ source }) => existsSync(source));
  for (const { source } of declared.entries.filter((entry) => !entries.includes(entry))) {
    process.stderr.write(`build: ${relative(root, source)} does not exist, left out\n`);
  }
  if (entries.length === 0) return;

  const each = { ...declared, entries };
  const staged = mkdtempSync(join(each.directory, '.dist-'));
  process.once('exit', () => rmSync(staged, { recursive: true, force: true }));
  await (each.isCommand ? buildCommand : buildLibrary)(each, staged);
  await buildPage(each, staged);
  const inspector = packages.find(({ name }) => name === 'inspector');
  if (each.isCommand && inspector !== undefined) copyPage(inspector.dist, staged);
  publish(staged, each);
  if (each.isCommand) for (const { output } of entries) compileCommand(output);
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages, root } from './packages.mjs';
import { releaseProblems } from './release-problems.mjs';

// Does a dry run of publishing each package, and lists what is missing for a release.

for (const { name, directory } of packages) {
  process.stdout.write(`\n== npm publish --dry-run: packages/${name}\n`);
  const { status } = spawnSync('npm', ['publish', '--dry-run', '--loglevel=error'], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exitCode = 1;
}

const manifests = packages.map(({ directory }) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')));
const problems = releaseProblems(manifests, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
process.stdout.write(`\n== ${problems.length === 0 ? 'Ready to be released' : 'Before a release'}\n`);
for (const problem of problems) process.stdout.write(`- ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

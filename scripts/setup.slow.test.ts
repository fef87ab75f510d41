import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// A minimal clone: the real set-up and the real npm, no dependencies, and a build that records that it ran.
const build = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  import { dirname } from 'node:path';
  import { fingerprint, recordBuild } from './fingerprint.mjs';
  import { packages, root } from './packages.mjs';
  console.log('noise on standard output');
  appendFileSync(root + '/builds', 'built\\n');
  for (const { output } of packages.flatMap((each) => each.entries)) {
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, '');
  }
  recordBuild(fingerprint());
`;

const manifests: Record<string, object> = {
  '': { name: 'clone', workspaces: ['packages/*'] },
  'packages/core': { name: 'one', version: '1.0.0' },
  'packages/gateway': { name: 'seven', version: '1.0.0' },
  'packages/openapi': { name: 'eight', version: '1.0.0' },
  'packages/redis': { name: 'four', version: '1.0.0' },
  'packages/postgres': { name: 'six', version: '1.0.0' },
  'packages/inspector': { name: 'five', version: '1.0.0' },
  'packages/servers': { name: 'two', version: '1.0.0' },
  'packages/cli': { name: 'three', version: '1.0.0', bin: { three: './dist/main.cjs' } },
};
const links = {
  'node_modules/one': { resolved: 'packages/core', link: true },
  'node_modules/two': { resolved: 'packages/servers', link: true },
  'node_modules/seven': { resolved: 'packages/gateway', link: true },
  'node_modules/eight': { resolved: 'packages/openapi', link: true },
  'node_modules/four': { resolved: 'packages/redis', link: true },
  'node_modules/six': { resolved: 'packages/postgres', link: true },
  'node_modules/five': { resolved: 'packages/inspector', link: true },
  'node_modules/three': { resolved: 'packages/cli', link: true },
};
const lockfile = JSON.stringify({ lockfileVersion: 3, requires: true, packages: { ...manifests, ...links } });

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'ccmcp-setup-'));
  cpSync(dirname(fileURLToPath(import.meta.url)), join(clone, 'scripts'), { recursive: true });
  write('scripts/build.mjs', build);
  for (const [path, content] of Object.entries(manifests)) write(join(path, 'package.json'), JSON.stringify(content));
  for (const path of ['tsconfig.json', 'tsconfig.build.json']) write(path, '{}');
  write('package-lock.json', lockfile);
  write('packages/cli/src/main.ts', 'first');
});
afterEach(() => {
  rmSync(clone, { recursive: true, force: true });
});

function write(path: string, content: string) {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), content);
}

function start() {
  return spawn(process.execPath, [join(clone, 'scripts/setup.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Creates the files that npm leaves behind, for tests that are not about npm. */
function pretendInstalled() {
  write('node_modules/.package-lock.json', lockfile);
}

async function setUp() {
  const child = start();
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, ended: code ?? signal };
}

function builds() {
  return existsSync(join(clone, 'builds')) ? readFileSync(join(clone, 'builds'), 'utf8').split('\n').length - 1 : 0;
}

const leftovers = () => readdirSync(clone).filter((file) => file.startsWith('.setup.lock'));

describe('set-up', () => {
  it('installs and builds a fresh clone, then has nothing left to do; standard output stays empty', async () => {
    const first = await setUp();
    expect(first).toMatchObject({ stdout: '', ended: 0 });
    expect(first.stderr).toContain('installing dependencies');
    expect(first.stderr).toContain('noise on standard output');
    expect(await setUp()).toEqual({ stdout: '', stderr: '', ended: 0 });
    expect(builds()).toBe(1);
    expect(leftovers()).toEqual([]);
  });

  it('rebuilds without installing when a source changed or a built file is missing', async () => {
    pretendInstalled();
    await setUp();
    write('packages/cli/src/main.ts', 'second');
    expect((await setUp()).stderr).not.toContain('installing');
    expect(builds()).toBe(2);
    rmSync(join(clone, 'packages/cli/dist/main.cjs'));
    await setUp();
    expect(builds()).toBe(3);
  });

  it('installs again when package-lock.json asks for something else', async () => {
    write('node_modules/.package-lock.json', JSON.stringify({ packages: manifests }));
    expect((await setUp()).stderr).toContain('installing dependencies');
    expect((await setUp()).stderr).toBe('');
  });

  it('does not build again when only a test has changed', async () => {
    pretendInstalled();
    await setUp();
    write('packages/cli/src/main.test.ts', 'a test');
    expect((await setUp()).stderr).toBe('');
  });

  it('does its work once when several start at the same time', async () => {
    const results = await Promise.all([setUp(), setUp(), setUp()]);
    expect(results.map(({ ended, stdout }) => [ended, stdout])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(results.filter(({ stderr }) => stderr.includes('installing'))).toHaveLength(1);
    expect(builds()).toBe(1);
  });

  it('says what to do when npm fails, and releases the lock', async () => {
    write('package.json', '{');
    const { ended, stderr } = await setUp();
    expect(ended).toBe(1);
    expect(stderr).toContain(`npm could not install the dependencies. Look at its message above, then run "npm ci" in`);
    expect(leftovers()).toEqual([]);
  });

  it('says what to do when the build fails, and builds again next time', async () => {
    pretendInstalled();
    write('scripts/build.mjs', 'process.exit(3);');
    const { ended, stderr } = await setUp();
    expect(ended).toBe(1);
    expect(stderr).toContain('the build failed');
    expect(leftovers()).toEqual([]);
    write('scripts/build.mjs', build);
    expect((await setUp()).ended).toBe(0);
    expect(builds()).toBe(1);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends what it has started and releases the lock on %s', async (signal, code) => {
    pretendInstalled();
    write('scripts/build.mjs', `console.log('pid', process.pid); setInterval(() => {}, 1000);`);
    const child = start();
    let said = '';
    for await (const chunk of child.stderr) {
      said += String(chunk);
      if (/pid \d+\n/.test(said)) break;
    }
    child.kill(signal);
    expect((await once(child, 'exit'))[0]).toBe(code);
    expect(leftovers()).toEqual([]);
    const started = Number(/pid (\d+)/.exec(said)?.[1]);
    expect(() => process.kill(started, 0)).toThrow('ESRCH');
  });
});

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packages, root } from './packages.mjs';

let clone: string;
/** An empty registry: nothing is ever sent to a real one. */
let registry: Server;

beforeAll(async () => {
  // Packing builds again, which must not affect other tests.
  clone = mkdtempSync(join(tmpdir(), 'ccmcp-release-'));
  for (const name of ['packages', 'scripts', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'LICENSE']) {
    cpSync(join(root, name), join(clone, name), {
      recursive: true,
      filter: (path) => !/[/\\](?:node_modules|dist|LICENSE)$/.test(path) || path === join(root, 'LICENSE'),
    });
  }
  // All files except the ones that the build stores there.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '.cache')) {
    symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  }
  registry = createServer((_, response) => response.writeHead(404).end('{"error":"not found"}'));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  registry.close();
  rmSync(clone, { recursive: true, force: true });
});

interface Published {
  name: string;
  version: string;
  files: { path: string }[];
}

async function dryRun(name: string): Promise<Published> {
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const { stdout } = await promisify(execFile)('npm', ['publish', '--dry-run', '--json', `--registry=${url}`], {
    cwd: join(clone, 'packages', name),
  });
  const published = JSON.parse(stdout.slice(stdout.indexOf('\n{') + 1)) as Published | Record<string, Published>;
  return ('files' in published ? published : Object.values(published)[0]) as Published;
}

describe.each(packages.map(({ name }) => name))('publishing packages/%s, without doing it', (name) => {
  it('sends what is built, with licence and README, and nothing else', async () => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Published;
    const { files, ...published } = await dryRun(name);

    expect(published).toMatchObject({ name: manifest.name, version: manifest.version });
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(
      paths.filter(
        (path) =>
          !/^(?:LICENSE|README\.md|package\.json|dist\/.*\.(?:c?js|d\.ts|txt|html)|dist\/page\/.*\.gz)$/.test(path),
      ),
    ).toEqual([]);
  });
});

it('the bare word ccmcp comes to be by npm link, and by a link of one’s own', () => {
  const prefix = mkdtempSync(join(tmpdir(), 'ccmcp-prefix-'));
  try {
    const env = { ...process.env, npm_config_prefix: prefix };
    execFileSync('npm', ['link', '--workspace', 'ccmcp', '--offline'], { cwd: root, env, stdio: 'pipe' });
    symlinkSync(join(root, 'ccmcp'), join(prefix, 'own'));
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as Published;
    for (const command of ['bin/ccmcp', 'own']) {
      expect(execFileSync(join(prefix, command), ['--version'], { encoding: 'utf8', cwd: prefix })).toBe(
        `${version}\n`,
      );
    }
  } finally {
    rmSync(prefix, { recursive: true, force: true });
  }
});

import { execFile, spawn as spawnChild } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Client, connect, httpTransport, spawn } from '@ccmcp/core/client';
import { expectText } from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

const exec = promisify(execFile);

const kinds: [string, string[]][] = [
  ['JavaScript on stdio', []],
  ['JavaScript over HTTP', ['--http']],
  ['TypeScript on stdio', ['--ts']],
  ['TypeScript over HTTP', ['--ts', '--http']],
];

/** Creates a project and installs it offline; TypeScript comes from this repository. */
async function make(flags: string[]): Promise<{ folder: string; steps: string[] }> {
  const parent = emptyFolder();
  const { code, stdout } = await run(['new', 'mine', ...flags, '--no-install'], { cwd: parent });
  expect(code).toBe(0);
  const folder = join(parent, 'mine');
  // npm also queries the registry for optional packages that it skips.
  const manifest = join(folder, 'package.json');
  const written = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(written), devDependencies: undefined }));
  await npm(folder, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
  writeFileSync(manifest, written);
  if (flags.includes('--ts')) {
    for (const name of ['typescript', '@types/node', '.bin/tsc']) {
      mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
  }
  return { folder, steps: stdout.split('\n').map((line) => line.trim()) };
}

function npm(cwd: string, ...args: string[]) {
  return exec('npm', args, { cwd });
}

/** Runs `npm start` like a client or a user, and connects to the server. */
async function start(folder: string, flags: string[]): Promise<Client> {
  if (!flags.includes('--http')) {
    return connect(
      spawn('npm', ['start', '--silent'], { cwd: folder, env: { ...process.env } as Record<string, string> }),
    );
  }
  const child = spawnChild('npm', ['start', '--silent'], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void process.kill(-(child.pid as number), 'SIGKILL'));
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return connect(httpTransport(url));
  }
  throw new Error('npm start said no address');
}

it('a new project uses the library of the clone', async () => {
  const folder = emptyFolder();
  const { code, stdout } = await run(['new', 'mine', '--no-install'], { cwd: folder });

  expect(code).toBe(0);
  expect(stdout).toContain('  cd mine\n  npm install\n  npm test\n  npm start\n');
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'mine/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const core = dependencies['@ccmcp/core'] ?? '';
  expect(core).toMatch(/^file:vendor\/ccmcp-core-.*\.tgz$/);
  expect(existsSync(join(folder, 'mine', core.slice('file:'.length)))).toBe(true);
  expect(readdirSync(folder)).toEqual(['mine']);
});

it('a new project may use an empty folder, and warns inside the clone', async () => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache/new-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
  mkdirSync(join(folder, 'mine'));
  const { code, stderr } = await run(['new', '.', '--no-install'], { cwd: join(folder, 'mine') });

  expect(code).toBe(0);
  expect(readdirSync(join(folder, 'mine'))).toContain('package.json');
  expect(stderr).toMatch(/It lies inside the clone.* new \.\.\/.*mine" makes it beside the clone/);
});

describe.each(kinds)('a new project in %s', (_, flags) => {
  it('tests, starts, and is listed and called', async () => {
    const { folder } = await make(flags);
    const { stdout } = await npm(folder, 'test');
    expect(stdout).toMatch(/^. pass [23]\n. fail 0$/m);

    const client = await start(folder, flags);
    expect(expectText(await client.callTool('greet', { name: 'Ada' }))).toBe('Hello, Ada!');
    await client.close();

    const file = flags.includes('--ts') ? 'dist/server.js' : 'src/server.js';
    expect(await run(['call', file, 'greet', 'name=Ada'], { cwd: folder })).toMatchObject({ stdout: 'Hello, Ada!\n' });
  });

  it('is installed in a client with the printed line', async () => {
    const { folder, steps } = await make(flags);
    if (flags.includes('--ts')) await npm(folder, 'run', 'build');
    const line = steps.find((step) => step.includes(' install cursor ')) ?? '';
    const words = line.slice(line.indexOf('install cursor')).split(' ');
    const home = emptyFolder();
    const { code } = await run(words, { cwd: folder, env: { HOME: home } });

    expect(code).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8'));
    const built = flags.includes('--ts') ? 'dist' : 'src';
    const entry = flags.includes('--http')
      ? { url: 'http://127.0.0.1:3000/mcp' }
      : { args: [expect.stringMatching(new RegExp(`/mine/${built}/main\\.js$`))] };
    expect(mcpServers.mine).toMatchObject(entry);
  });
});

/** A registry with one package, of the given tarball. */
async function registry(tarball: Buffer | undefined): Promise<string> {
  const name = '@ccmcp/core';
  const server: Server = createServer(({ url = '', headers }, response) => {
    if (tarball === undefined || !decodeURIComponent(url).startsWith(`/${name}`)) {
      response.writeHead(404).end('{"error":"not found"}');
      return;
    }
    if (url.endsWith('.tgz')) {
      response.end(tarball);
      return;
    }
    const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as {
      version: string;
    };
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { integrity, tarball: `http://${headers.host}/${name}/-/core-${version}.tgz` };
    const versions = { [version]: { name, version, dist } };
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Runs the command as npm installs it, with its own registry and cache. */
async function newFromRegistry(folder: string, url: string, ...args: string[]) {
  const home = join(folder, 'node_modules/ccmcp');
  mkdirSync(home, { recursive: true });
  for (const part of ['package.json', 'dist']) {
    cpSync(join(root, 'packages/cli', part), join(home, part), { recursive: true });
  }
  const env = { ...process.env, npm_config_registry: url, npm_config_cache: join(folder, 'cache') };
  return exec(process.execPath, [join(home, 'dist/main.cjs'), 'new', 'mine', ...args], { cwd: folder, env }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe('a new project of a command that came from the registry', () => {
  it('is installed from there', async () => {
    const packed = emptyFolder();
    await run(['new', 'mine', '--no-install'], { cwd: packed });
    const [file = ''] = readdirSync(join(packed, 'mine/vendor'));
    const folder = emptyFolder();
    const { stdout } = await newFromRegistry(folder, await registry(readFileSync(join(packed, 'mine/vendor', file))));

    expect(stdout).toContain('npm start');
    expect((await npm(join(folder, 'mine'), 'test')).stdout).toMatch(/^. fail 0$/m);
  });

  it('is created but not installed if the registry lacks the library', async () => {
    const folder = emptyFolder();
    const ended = await newFromRegistry(folder, await registry(undefined));

    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/the registry has no @ccmcp\/core/) });
    expect(existsSync(join(folder, 'mine/package.json'))).toBe(true);
  });

  it('is created but not installed if the registry is unreachable', async () => {
    const folder = emptyFolder();
    const ended = await newFromRegistry(folder, 'http://127.0.0.1:9/');

    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/made, but not installed: npm can not reach/),
    });
  });
});

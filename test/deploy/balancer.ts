import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { mustHave } from '../support/everything.ts';
import { root } from '../support/imports.ts';

/** A load balancer with our configuration. */
export interface Balancer {
  /** Sends a request like a client that knows it by its public name. */
  ask(path: string, options?: Asking): Promise<IncomingMessage>;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** True if a program is on the PATH. Throws if it is required and missing. */
export function isInstalled(program: string, flag: string): boolean {
  const { status } = spawnSync(program, [flag], { stdio: 'ignore' });
  if (status === 0) return true;
  if (mustHave(program)) throw new Error(`${program} is not on the PATH`);
  process.stderr.write(`The configuration for ${program} is not tested: it is not on the PATH\n`);
  return false;
}

/** A temporary folder for a test. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** A file of the example. */
export function deployFile(name: string): string {
  return readFileSync(join(root, 'examples/deploy', name), 'utf8');
}

/** Replaces texts; each must occur. */
function replaceAll(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`There is no ${from}`);
    return result.replaceAll(from, to);
  }, text);
}

/** Replaces `app-1:8080` and `app-2:8080` by the addresses of two instances. */
function placesOf(urls: readonly [string, string]): Record<string, string> {
  return { 'app-1:8080': new URL(urls[0]).host, 'app-2:8080': new URL(urls[1]).host };
}

/** Starts nginx with the example's configuration, adapted to this machine. */
export async function startNginx(urls: readonly [string, string]): Promise<Balancer> {
  const folder = ownFolder();
  const port = await freePort();
  const key = join(folder, 'tls.key');
  const certificate = join(folder, 'tls.crt');
  const subject = ['-subj', '/CN=mcp.example.com', '-days', '1', '-nodes'];
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, '-keyout', key, '-out', certificate]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const config = replaceAll(deployFile('nginx.conf'), {
    ...placesOf(urls),
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/nginx/tls/tls.crt': certificate,
    '/etc/nginx/tls/tls.key': key,
    'http {': `http {\n  access_log off;\n  ${temporary.join('\n  ')}`,
  });
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, config);
  const more = `pid ${join(folder, 'pid')}; daemon off; error_log ${join(folder, 'error.log')};`;
  const args = ['-p', folder, '-e', join(folder, 'early.log'), '-c', file, '-g', more];
  checked('nginx', ['-t', ...args]);
  await run('nginx', args, port);
  const ask = asking(port, (options) =>
    request({ ...options, rejectUnauthorized: false, servername: 'mcp.example.com' }),
  );
  return { ask };
}

/** Starts Caddy with the example's configuration, without a certificate: it would request one over the network. */
export async function startCaddy(urls: readonly [string, string]): Promise<Balancer> {
  const folder = ownFolder();
  const port = await freePort();
  const config = replaceAll(deployFile('Caddyfile'), {
    ...placesOf(urls),
    'mcp.example.com {': `{\n\tadmin off\n}\n\nhttp://mcp.example.com:${port} {\n\tbind 127.0.0.1`,
  });
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, config);
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  checked('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], env);
  await run('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port, env);
  return { ask: asking(port, plainRequest) };
}

type Sending = (options: object) => ReturnType<typeof plainRequest>;

function asking(port: number, send: Sending): Balancer['ask'] {
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, agent: false };
      const sent = send({ ...options, headers: { Host: 'mcp.example.com', ...headers } });
      sent.on('response', resolve).on('error', reject).end(body);
    });
}

/** Throws if a program rejects its configuration. */
export function checked(program: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

/** Starts a program until the test ends, and waits until it listens. */
async function run(
  program: string,
  args: readonly string[],
  port: number,
  env: Record<string, string> = {},
): Promise<void> {
  const child: ChildProcess = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await wait(20);
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

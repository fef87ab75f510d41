import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { createServer, tool } from '@ccmcp/core';
import { httpHandler, serveHttp } from '@ccmcp/core/http';
import {
  type AuthorizationServerOptions,
  authorizationServer,
  type TestAuthorizationServer,
} from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startProtectedServer } from '../../packages/core/src/auth/client/fixtures/protected-server.ts';
import { browser } from '../support/browser.ts';
import { emptyFolder, launcher, run, runProcess } from '../support/ccmcp.ts';
import { mustTestEverything } from '../support/everything.ts';
import { hasTerminals, onRealTerminal, onTerminal } from '../support/terminal.ts';

const server = createServer({
  name: 'guarded',
  version: '1.0.0',
  tools: [tool('greet', {}, () => 'Hello'), tool('write', {}, () => 'Written')],
});

/** A protected server, its authorization server, and the environment of a user without a keychain. */
async function start(options: AuthorizationServerOptions = {}) {
  const by = await authorizationServer(options);
  onTestFinished(by.close);
  const handler = httpHandler(server);
  const protectedServer = await startProtectedServer({
    by,
    challenge: 'scope="read"',
    instead: async ({ headers, path, method, body }) => {
      const known = by.tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
      if (path !== '/mcp' || known === undefined) return undefined;
      if (/tools\/call.*"write"/.test(body) && !known.scope.split(' ').includes('write')) {
        return { status: 403, headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' } };
      }
      const copied = Object.entries(headers).filter(
        ([name]) => !['host', 'connection', 'content-length'].includes(name),
      );
      const response = await handler.fetch(
        new Request('http://127.0.0.1/mcp', {
          method,
          headers: copied as [string, string][],
          ...(method === 'POST' && { body }),
        }),
      );
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
    },
  });
  const logins = join(emptyFolder(), 'logins');
  const env = { CCMCP_LOGINS: logins, CCMCP_KEYCHAIN: 'none', PATH: `${browser()}:${process.env.PATH}` };
  return { by, url: protectedServer.url, protection: protectedServer.protection, logins, env };
}

/** Listens on a free port from 20000 to 31999 until the test ends. */
async function listenBelowEphemeralPorts(): Promise<number> {
  for (let port = 20_000; ; port += 1) {
    const listener = createNetServer();
    const isTaken = await new Promise<boolean>((resolve) => {
      listener.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isTaken) continue;
    onTestFinished(() => void listener.close());
    return port;
  }
}

/** All secrets that the authorization server has issued. */
function secretsOf(by: TestAuthorizationServer): string[] {
  return [
    ...by.tokens.keys(),
    ...by.forms().flatMap(({ code, refresh_token: token }) => [code ?? '', token ?? '']),
  ].filter((text) => text !== '');
}

describe('ccmcp login', () => {
  it('stores a login that other commands use until logout', async () => {
    const { by, url, env, logins } = await start();
    const before = await run(['call', url, 'greet'], { env });
    expect([before.code, before.stderr]).toEqual([4, expect.stringContaining('ccmcp login URL')]);

    const login = await run(['login', url], { env });
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in.') });
    expect(login.stdout).toContain(`issuer   ${by.issuer}`);
    const called = await run(['call', url, 'greet'], { env });
    expect(called).toEqual({ code: 0, stdout: 'Hello\n', stderr: '' });

    const who = await run(['whoami', url, '--json'], { env });
    expect(JSON.parse(who.stdout)).toMatchObject({
      server: url,
      issuer: by.issuer,
      subject: 'user-1',
      client: 'client-1',
      scopes: ['read'],
      renewable: true,
      kept: `${logins}, which only you can read`,
    });
    const all = await run(['whoami'], { env });
    expect(all.stdout).toContain('user     user-1');
    for (const { stdout, stderr } of [login, called, who, all]) {
      for (const secret of secretsOf(by)) expect(stdout + stderr).not.toContain(secret);
    }

    expect(await run(['logout', url], { env })).toMatchObject({
      code: 0,
      stdout: `The login for ${url} is forgotten.\n`,
    });
    expect(readdirSync(logins)).toEqual([]);
    expect((await run(['call', url, 'greet'], { env })).code).toBe(4);
    expect(await run(['whoami', url], { env })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('there is no login'),
    });
    expect(by.asked('authorization')).toBe(1);
  });

  it('uses the keychain if there is one', async () => {
    const { by, url, env, logins } = await start();
    const keys = emptyFolder();
    const bin = emptyFolder();
    const script = `#!${process.execPath}
      const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
      const [, , verb, ...args] = process.argv;
      appendFileSync(${JSON.stringify(join(keys, 'calls'))}, process.argv.join(' ') + '\\n');
      const file = ${JSON.stringify(join(keys, 'key-'))} + args.at(-1);
      if (verb === 'store') writeFileSync(file, readFileSync(0));
      if (verb === 'lookup') process.stdout.write(readFileSync(file));`;
    writeFileSync(join(bin, 'secret-tool'), script, { mode: 0o755 });
    const withKeychain = { ...env, CCMCP_KEYCHAIN: '', PATH: `${bin}:${env.PATH}` };
    const login = await run(['login', url], { env: withKeychain });
    expect(login.stdout).toContain('with its key in the keyring of this desktop (libsecret)');
    expect((await run(['call', url, 'greet'], { env: withKeychain })).stdout).toBe('Hello\n');
    const [file = ''] = readdirSync(logins);
    const text = readFileSync(join(logins, file), 'utf8') + readFileSync(join(keys, 'calls'), 'utf8');
    for (const secret of secretsOf(by)) expect(text).not.toContain(secret);
  });

  it.each([
    ['login', run],
    ['a call on a terminal', (args: string[], { env }: { env: NodeJS.ProcessEnv }) => onTerminal(args, [], env)],
  ])('uses another port for the redirect if the first is in use: %s', async (command, runIt) => {
    const { url, env } = await start();
    const port = await listenBelowEphemeralPorts();
    const random = vi.spyOn(crypto, 'getRandomValues').mockImplementationOnce((array) => {
      (array as unknown as Uint16Array)[0] = port - 20_000;
      return array;
    });
    onTestFinished(() => random.mockRestore());
    const args = command === 'login' ? ['login', url] : ['call', url, 'greet'];
    expect(await runIt(args, { env })).toMatchObject({ code: 0 });
    expect(random).toHaveBeenCalled();
  });

  it('prints the URL with --no-browser, and requests the given scopes', async () => {
    const { by, url, env } = await start();
    const args = ['login', url, '--no-browser', '--scope', 'write', '--scope', 'a b', '--json'];
    const child = spawn(launcher, args, { env: { ...process.env, ...env }, stdio: 'pipe' });
    const ended = once(child, 'close');
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    const address = await new Promise<string>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
        const [, found] = /^(http\S+)\n/m.exec(stderr) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    expect(by.asked('authorization')).toBe(0);
    const back = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(await (await fetch(back)).text()).toContain('You may close this window');
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(stdout)).toMatchObject({ signedIn: true, scopes: ['write', 'a', 'b', 'read'] });
    expect((await run(['call', url, 'write'], { env })).stdout).toBe('Written\n');
  });

  it('signs in and refreshes with the given client id', async () => {
    const { by, url, env } = await start({ lifetime: 1, clients: [{ id: 'mine', method: 'none' }] });
    by.settings.metadata = { registration_endpoint: undefined };
    expect((await run(['login', url], { env })).stderr).toContain('registers no clients');
    expect((await run(['login', url, '--client-id', 'mine'], { env })).stdout).toContain('client   mine');
    by.settings.lifetime = 3600;
    const before = by.forms().length;
    expect((await run(['call', url, 'greet'], { env })).stdout).toBe('Hello\n');
    expect(by.forms().slice(before)).toMatchObject([{ grant_type: 'refresh_token', client_id: 'mine' }]);
  });

  it('exits at once on Ctrl+C', async () => {
    const { url, env } = await start();
    const child = spawn(launcher, ['login', url, '--no-browser'], { env: { ...process.env, ...env }, stdio: 'pipe' });
    const ended = once(child, 'close');
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (!child.killed && /^http\S+\n/m.test(stderr)) child.kill('SIGINT');
    });
    expect(await ended).toEqual([130, null]);
    expect(stderr).toMatch(/\nccmcp: interrupted\n$/);
  });

  it('stores no login that the server rejects', async () => {
    const { url, env, protection } = await start();
    protection.instead = ({ path }) => (path === '/mcp' ? { status: 403, text: 'Not you' } : undefined);
    protection.metadata = {};
    const { code, stderr } = await run(['login', url], { env });
    expect([code, stderr]).toEqual([4, expect.stringContaining('Not you')]);
    expect(existsSync(env.CCMCP_LOGINS) ? readdirSync(env.CCMCP_LOGINS) : []).toEqual([]);
  });

  it('does nothing if no login is required, or the target is a command', async () => {
    const { env } = await start();
    const { url, close } = await serveHttp(server, { port: 0 });
    onTestFinished(() => close({ graceMs: 0, lingerMs: 0 }));
    expect(await run(['login', url], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('requires no login'),
    });
    const { code, stderr } = await run(['login', 'ccmcp'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('login is for servers behind a URL')]);
  });
});

describe('a stored login', () => {
  it('is refreshed once by three concurrent processes', async () => {
    const { by, url, env } = await start({ lifetime: 1 });
    expect((await run(['login', url], { env })).code).toBe(0);
    by.settings.lifetime = 3600;
    const before = by.forms().length;
    const both = await Promise.all([1, 2, 3].map(() => runProcess(['call', url, 'greet'], { env })));
    expect(both.map(({ stdout }) => stdout)).toEqual(['Hello\n', 'Hello\n', 'Hello\n']);
    expect(by.forms().slice(before)).toMatchObject([{ grant_type: 'refresh_token' }]);
    expect((await run(['whoami', url, '--json'], { env })).stdout).toContain('"renewable":true');
  });

  it('with a missing scope fails with an explanation without a terminal', async () => {
    const { by, url, env } = await start();
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    const { code, stderr } = await run(['call', url, 'write'], { env });
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(`Sign in again: ccmcp login ${url} --scope "read write"`),
    ]);
    expect(by.asked('authorization')).toBe(1);
    expect(await run(['call', url, 'greet'], { env })).toEqual({ code: 0, stdout: 'Hello\n', stderr: '' });
    expect(JSON.parse((await run(['whoami', url, '--json'], { env })).stdout)).toMatchObject({
      signedIn: true,
      client: 'client-1',
      renewable: true,
    });
    expect(by.requests('/register')).toHaveLength(1);
  });

  it.skipIf(!hasTerminals && !mustTestEverything)(
    'still works after a step-up was interrupted with Ctrl+C',
    async () => {
      const { by, url, env } = await start();
      expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
      const idle = emptyFolder();
      writeFileSync(join(idle, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 });
      const nobody = { ...env, PATH: `${idle}:${process.env.PATH}` };
      const { code, screen } = await onRealTerminal(['call', url, 'write'], [[/visit\s+http\S+\s/, '\u0003']], nobody);
      expect([code, screen]).toEqual([130, expect.stringContaining('ccmcp: interrupted')]);
      expect((await run(['call', url, 'greet'], { env })).stdout).toBe('Hello\n');
      expect(by.requests('/register')).toHaveLength(1);
    },
  );

  it('gets a missing scope on a terminal, and stores it', async () => {
    const { by, url, env } = await start();
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    const { code, screen } = await onTerminal(['call', url, 'write'], [], env);
    expect([code, screen]).toEqual([0, expect.stringContaining('Written')]);
    expect(by.questions().map(({ scope }) => scope)).toEqual(['read', 'read write']);
    expect(await run(['call', url, 'write'], { env })).toEqual({ code: 0, stdout: 'Written\n', stderr: '' });
  });

  it('that expired fails with an explanation, and is shown by whoami', async () => {
    const { by, url, env } = await start({ lifetime: 1, refreshTokens: false });
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    by.tokens.clear();
    const { code, stderr } = await run(['call', url, 'greet'], { env });
    expect([code, stderr]).toEqual([4, expect.stringContaining('Sign in again: ccmcp login')]);
    expect((await run(['whoami', url], { env })).stdout).toContain('not renewable');
  });

  it('that others can read is rejected, with a remedy', async () => {
    const { url, env, logins } = await start();
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    const [file = ''] = readdirSync(logins);
    chmodSync(join(logins, file), 0o644);
    const { code, stderr } = await run(['call', url, 'greet'], { env });
    expect([code, stderr]).toEqual([4, expect.stringContaining('can be used by others than its owner (mode 0644)')]);
    expect((await run(['login', url], { env })).code).toBe(0);
    expect((await run(['call', url, 'greet'], { env })).stdout).toBe('Hello\n');
  });

  it('is not sent if another token is given', async () => {
    const { by, url, env } = await start();
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    const own = by.token({ audience: url, scopes: ['read', 'write'] });
    const { stdout } = await run(['call', url, 'write', '--token-env', 'OWN'], { env: { ...env, OWN: own } });
    expect(stdout).toBe('Written\n');
    const { code, stderr } = await run(['call', url, 'write', '--token-env', 'NOTHING'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no variable NOTHING')]);
  });
});

describe('ccmcp logout', () => {
  it('without a URL lists the logins, and removes them with --all', async () => {
    const { url, env, logins } = await start();
    expect(await run(['login', url], { env })).toMatchObject({ code: 0 });
    expect(await run(['logout'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`logins for ${url}`),
    });
    expect(await run(['logout', '--all'], { env })).toMatchObject({ code: 0, stdout: 'One login is forgotten.\n' });
    expect(readdirSync(logins)).toEqual([]);
    expect((await run(['whoami'], { env })).stdout).toBe('There are no logins.\n');
  });
});

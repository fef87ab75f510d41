import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, httpTransport, oauth } from '@ccmcp/core/client';
import { authorizationServer, expectText } from '@ccmcp/core/testing';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The programs below "Recipes", by heading. */
const recipes = new Map(
  Array.from(
    readFileSync(join(root, 'docs/auth.md'), 'utf8')
      .split(/^## /m)
      .find((section) => section.startsWith('Recipes\n'))
      ?.matchAll(/^### (.+)\n[^]*?```ts\n([^]*?)```/gm) ?? [],
    ([, title = '', code = '']) => [title, code],
  ),
);

/** Starts a recipe with another issuer, port and address. */
async function start(title: string, { address, env = {} }: { address?: string; env?: Record<string, string> } = {}) {
  const by = await authorizationServer();
  onTestFinished(by.close);
  const port = await freePort();
  const resource = address ?? `http://127.0.0.1:${port}/mcp`;
  const code = (recipes.get(title) ?? '')
    .replaceAll('https://login.example.com', by.issuer)
    .replaceAll('https://api.example.com/mcp', resource)
    .replaceAll('port: 3000', `port: ${port}`);
  const cache = join(root, 'node_modules/.cache/ccmcp');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'recipe-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const outfile = join(folder, 'main.mjs');
  await build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    packages: 'external',
  });
  const child: ChildProcess = spawn(process.execPath, [outfile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, maxRetries: 10 });
  });
  if (child.stdout !== null) for await (const line of createInterface(child.stdout)) if (line.startsWith('http')) break;
  return { by, url: resource, port };
}

/** A client whose user consents to everything. */
async function signedIn(url: string) {
  const auth = oauth({
    redirectUrl: 'http://127.0.0.1:3000/callback',
    authorize: async (page) => (await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '',
  });
  const client = await connect(httpTransport(url, { auth }));
  onTestFinished(() => client.close());
  return client;
}

describe('the recipes of docs/auth.md', () => {
  it('are five', () => {
    expect([...recipes.keys()]).toEqual([
      'One issuer',
      'API keys for machines, OAuth for people',
      'Anonymous access',
      'Step-up authorization',
      'Behind a proxy',
    ]);
  });

  it('one issuer', async () => {
    const { by, url } = await start('One issuer');
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    const client = await signedIn(url);
    expect(expectText(await client.callTool('whoami'))).toBe(`You are ${by.issuer}#sub=user-1`);
    expect(by.questions()).toMatchObject([{ scope: 'notes:read', resource: url }]);
  });

  it('API keys for machines, OAuth for people', async () => {
    const { by, url } = await start('API keys for machines, OAuth for people', {
      env: { CI_KEY: 'a key of this test' },
    });
    const machine = await connect(httpTransport(url, { headers: { 'X-Api-Key': 'a key of this test' } }));
    onTestFinished(() => machine.close());
    expect(expectText(await machine.callTool('whoami'))).toMatch(/^You are key-/);
    expect(expectText(await (await signedIn(url)).callTool('whoami'))).toContain('user-1');
    const both = { 'X-Api-Key': 'wrong', Authorization: `Bearer ${by.token({ audience: url })}` };
    expect((await fetch(url, { method: 'POST', headers: both })).status).toBe(401);
  });

  it('anonymous access', async () => {
    const { by, url } = await start('Anonymous access');
    const stranger = await connect(httpTransport(url));
    onTestFinished(() => stranger.close());
    expect(expectText(await stranger.callTool('motto'))).toBe('Write it down.');
    await expect(stranger.callTool('mine')).rejects.toThrow('401');
    expect(expectText(await (await signedIn(url)).callTool('mine'))).toContain('user-1');
    const bad = { Authorization: `Bearer ${by.token({ audience: url, fault: 'expired' })}` };
    expect((await fetch(url, { method: 'POST', headers: bad })).status).toBe(401);
  });

  it('step-up authorization', async () => {
    const { by, url } = await start('Step-up authorization');
    const client = await signedIn(url);
    expect(expectText(await client.callTool('count'))).toBe('0');
    expect(expectText(await client.callTool('add'))).toBe('Note 1');
    expect(by.questions().map(({ scope }) => scope)).toEqual(['notes:read', 'notes:read notes:write']);
  });

  it('behind a proxy', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const passed = httpRequest({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, host: 'api.example.com' },
      });
      passed.on('response', (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers)));
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    const { url, port } = await start('Behind a proxy', { address });
    expect(url).toBe(address);
    expect(expectText(await (await signedIn(url)).callTool('count'))).toBe('0');
  });
});

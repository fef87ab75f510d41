import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, httpTransport, oauth } from '@ccmcp/core/client';
import { expectText } from '@ccmcp/core/testing';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';
import { freePort } from '../support/free-port.ts';
import { browse } from './provider.ts';
import { finishAuth, sdkUser } from './sdk-user.ts';

const folder = fileURLToPath(new URL('../../examples/protected-server/', import.meta.url));

/** Starts a program of the example, and waits for a line of its output. */
async function start(file: string, env: Record<string, string>, line: RegExp): Promise<void> {
  const child = spawn(process.execPath, [folder + file], { env: { ...process.env, ...env }, stdio: 'pipe' });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const said = file === 'server.js' ? child.stdout : child.stderr;
  for await (const text of createInterface(said)) if (line.test(text)) return;
  throw new Error(`${file} ended`);
}

async function startExample(): Promise<string> {
  const [provider, port] = [await freePort(), await freePort()];
  const issuer = `http://127.0.0.1:${provider}`;
  await start('provider.js', { PROVIDER_PORT: String(provider) }, /^issuer /);
  await start('server.js', { PORT: String(port), ISSUER: issuer }, /^http/);
  return `http://127.0.0.1:${port}/mcp`;
}

it('examples/protected-server serves signed-in callers, and requests more scopes when needed', async () => {
  const url = await startExample();
  const auth = oauth({ redirectUrl: 'http://127.0.0.1:3000/callback', authorize: (page) => browse(page, 'ada') });
  const client = await connect(httpTransport(url, { auth }));
  onTestFinished(() => client.close());
  expect(expectText(await client.callTool('list_notes'))).toBe('Buy milk');
  expect(expectText(await client.callTool('add_note', { text: 'Hello' }))).toBe('ada now has 2 notes');
});

it.each([
  ['1', Client1, Http1, {}],
  ['2, by handshake', Client2, Http2, {}],
  ['2, stateless', Client2, Http2, { versionNegotiation: { mode: 'auto' } }],
] as const)(
  'examples/protected-server grants the official client %s more when it asks, and nothing is lost by that',
  async (_, Client, Http, options) => {
    const url = await startExample();
    const user = sdkUser();
    const open = () => new (Http as typeof Http2)(new URL(url), { authProvider: user as never });
    const first = open();
    const stranger = new (Client as typeof Client2)({ name: 'interop', version: '1.0.0' }, options);
    await expect(stranger.connect(first)).rejects.toThrow(/nauthorized/);
    await finishAuth(first, user);

    const transport = open();
    const client = new (Client as typeof Client2)({ name: 'interop', version: '1.0.0' }, options);
    await client.connect(transport);
    onTestFinished(() => client.close());
    const textOf = async (name: string, args: Record<string, string> = {}): Promise<unknown> =>
      (await client.callTool({ name, arguments: args })).content;
    expect(await textOf('list_notes')).toMatchObject([{ text: 'Buy milk' }]);
    await expect(textOf('add_note', { text: 'Hello' })).rejects.toThrow(/nauthorized/);
    await finishAuth(transport, user);
    expect(await textOf('add_note', { text: 'Hello' })).toMatchObject([{ text: 'ada now has 2 notes' }]);
    expect(await textOf('list_notes')).toMatchObject([{ text: 'Buy milk\nHello' }]);
    expect(user.asked).toHaveLength(2);
  },
);

it('examples/protected-server serves the command after a sign-in', async () => {
  const url = await startExample();
  const env = { CCMCP_LOGINS: join(emptyFolder(), 'logins'), CCMCP_KEYCHAIN: 'none' };
  const login = spawn(launcher, ['login', url, '--no-browser'], { env: { ...process.env, ...env }, stdio: 'pipe' });
  const ended = once(login, 'exit');
  for await (const line of createInterface(login.stderr)) {
    if (!line.startsWith('http')) continue;
    await fetch(await browse(line, 'ada'));
    break;
  }
  expect(await ended).toEqual([0, null]);
  expect((await run(['call', url, 'list_notes'], { env })).stdout).toBe('Buy milk\n');
  const { stdout } = await run(['whoami', url, '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ subject: 'ada', scopes: ['notes:read'], renewable: true });
  const { code, stderr } = await run(['call', url, 'add_note', 'text=x'], { env });
  expect([code, stderr]).toEqual([4, expect.stringMatching(/ccmcp login .* --scope ".*notes:write/)]);
});

it('examples/protected-server has no problem in a probe except the missing token', async () => {
  const url = await startExample();
  const env = { CCMCP_LOGINS: emptyFolder(), CCMCP_KEYCHAIN: 'none' };
  const { code, stdout } = await run(['probe', url, '--json'], { env });
  const { steps, problem } = JSON.parse(stdout) as {
    steps: { step: string; ok: boolean }[];
    problem: { kind: string; advice: string };
  };
  expect([code, problem.kind, steps.filter(({ ok }) => !ok)]).toEqual([4, 'unauthorized', []]);
  expect(problem.advice).toContain(`ccmcp login ${url}`);
  expect(steps.map(({ step }) => step)).toEqual(
    expect.arrayContaining(['challenge', 'metadata', 'issuer', 'sign-in', 'keys']),
  );
});

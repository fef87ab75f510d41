import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, runProcess } from '../support/ccmcp.ts';

/** Starts the command, and returns the inspector URL that it prints. */
async function start(args: readonly string[]): Promise<{ child: ChildProcess; url: URL; token: string }> {
  const cwd = emptyFolder();
  const env = { ...process.env, CCMCP_INSPECTOR: join(cwd, 'state') };
  const child = spawn(launcher, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const address = /http:\/\/\S+#token=[\w-]+/;
  while (!address.test(said)) await once(child.stdout as NodeJS.ReadableStream, 'data');
  const url = new URL(address.exec(said)?.[0] ?? '');
  return { child, url, token: url.hash.slice('#token='.length) };
}

/** Reads events until one matches. */
async function eventsUntil(url: URL, token: string, said: RegExp): Promise<string> {
  const stop = new AbortController();
  const headers = { Authorization: `Bearer ${token}` };
  const { body } = await fetch(new URL('api/events', url), { headers, signal: stop.signal });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (said.test(text)) break;
  }
  stop.abort();
  return text;
}

describe('ccmcp inspect', () => {
  it('serves the page, connects to its targets, and stops on a signal', async () => {
    const { child, url, token } = await start(['inspect', 'greeting', '--no-open']);
    expect(url.hostname).toBe('127.0.0.1');
    const page = await (await fetch(url)).text();
    expect(page).toContain('<script type="module">');
    const events = await eventsUntil(url, token, /"is":"connected"/);
    expect(events).toContain('"label":"greeting"');
    expect(events).toContain('"origin":"ready-made"');
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it('prints its address once it listens, and what to do if the port is in use', async () => {
    const other = createServer((_, response) => response.end());
    onTestFinished(() => void other.close());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await runProcess(['inspect', 'greeting', '--no-open', '--port', String(port)]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(stderr).toContain('without --port');
  });

  it('is mounted by --inspector', async () => {
    const { url, token } = await start(['greeting', '--http', '0', '--inspector']);
    expect(url.pathname).toBe('/inspect/');
    expect(await (await fetch(url)).text()).toContain('<script type="module">');
    const events = await eventsUntil(url, token, /"is":"connected"/);
    expect(events).toContain('"mounted":true');
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const [, connection] = /"connection":\{"id":"(\w+)"/.exec(events) ?? [];
    const body = JSON.stringify({ connection });
    expect((await fetch(new URL('api/doctor', url), { method: 'POST', headers, body })).status).toBe(200);
    const examined = await eventsUntil(url, token, /"type":"doctor-end"/);
    expect(examined).toMatch(/"step":"protocol","status":"ok","message":"\S+ \S+ speaks/);
    expect(examined).not.toContain('"status":"wrong"');
  });
});

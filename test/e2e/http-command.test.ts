import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts the command over HTTP and waits until it says where it is. */
async function serve(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string; said: string }> {
  const child = spawn(launcher, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!said.includes('curl')) await once(child.stdout as NodeJS.ReadableStream, 'data');
  const url = /http:\/\/\S+\/mcp/.exec(said)?.[0] ?? '';
  return { child, url, said };
}

async function call(url: string, name: string, args: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
}

interface Logged {
  readonly chain: string;
  readonly kind: string;
  readonly pid?: number;
  readonly arguments?: { readonly title?: string };
}

/** The lines of an audit log of one kind. */
function recordsOf(file: string, kind: string): Logged[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Logged).filter((record) => record.kind === kind);
}

describe('ccmcp over HTTP', () => {
  it('says where it is, what to paste and what to try, and serves there', async () => {
    const { url, said } = await serve(['--http', '0']);
    expect(JSON.parse(/\{[\s\S]*?\n\}/.exec(said)?.[0] ?? '')).toEqual({
      mcpServers: { ccmcp: { type: 'http', url } },
    });
    const answer = await call(url, 'hello', { name: 'Ada' });
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'Hello, Ada!' }] } });
  });

  it('offers servers that are joined under a name that is short and legal everywhere', async () => {
    const { url, said } = await serve([
      'ccmcp',
      'notes',
      'greeting',
      '--http',
      '0',
      '--db',
      join(emptyFolder(), 'n.db'),
    ]);
    expect(said).toContain(`ccmcp, notes, greeting are served at ${url}\n`);
    const { mcpServers } = JSON.parse(/\{[\s\S]*?\n\}/.exec(said)?.[0] ?? '');
    expect(mcpServers).toEqual({ ccmcp: { type: 'http', url } });
    const [, words = ''] = /put there: \S*ccmcp (.*)/.exec(said) ?? [];
    const { stdout } = await run([...words.replace('CLIENT', 'claude-code').split(' '), '--print']);
    expect(JSON.parse(stdout)).toEqual({ mcpServers });
  });

  it('tries what it says is to be tried', async () => {
    const { said } = await serve(['--http', '0']);
    const command = /^curl .*$/m.exec(said)?.[0] ?? '';
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(child, 'close');
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  it('ends with 0 when it is told to stop', async () => {
    const { child } = await serve(['--http', '0']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('asks for the key that a variable holds, and never shows it', async () => {
    const { url, said } = await serve(['--http', '0', '--api-key-env', 'TEST_KEY'], { TEST_KEY: 'k1,k2' });
    expect(said).toContain('"X-Api-Key": "${TEST_KEY}"');
    expect(said).not.toContain('k1');
    expect((await call(url, 'hello', { name: 'x' })).status).toBe(401);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k3' })).status).toBe(401);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k1' })).status).toBe(200);
    expect((await call(url, 'hello', { name: 'x' }, { 'X-Api-Key': 'k2' })).status).toBe(200);
  });

  it('does not listen where others reach it unless callers say who they are, or it is told to', async () => {
    const { code, stderr } = await run(['--http', '0.0.0.0:0']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--api-key-env') });
    expect(stderr).toContain('--public-without-auth');
    expect((await serve(['--http', '0.0.0.0:0', '--public-without-auth'])).url).toContain('0.0.0.0');
  });

  it('serves the transport of 2024 where it is asked to', async () => {
    const { url } = await serve(['--http', '0', '--sse']);
    const stream = await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream' } });
    const { value } = await (stream.body as ReadableStream<Uint8Array>).getReader().read();
    expect(new TextDecoder().decode(value)).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=/);
    const without = await serve(['--http', '0']);
    expect((await fetch(new URL('/sse', without.url))).status).toBe(404);
  });

  it('joins servers', async () => {
    const { url } = await serve(['ccmcp', 'greeting', 'moonphase', '--http', '0']);
    expect(await (await call(url, 'HelloTool', { value: 'Ada' })).json()).toMatchObject({
      result: { content: [{ text: 'Hello-bonjour Ada!' }] },
    });
    expect((await call(url, 'moonphase', { picture: false })).status).toBe(200);
  });
});

describe('moonphase over HTTP', () => {
  const key = { MOONPHASE_API_KEY: 'moon' };

  it('does not start without a key, and says which', async () => {
    const { code, stderr } = await run(['moonphase', '--http', '0'], { env: { MOONPHASE_API_KEY: '' } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('MOONPHASE_API_KEY') });
  });

  it('wants its key in X-Api-Token', async () => {
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect((await call(url, 'moonphase', {})).status).toBe(401);
    const answer = await call(url, 'moonphase', { datetime: '2000-01-21T04:40Z' }, { 'X-Api-Token': 'moon' });
    expect(await answer.json()).toMatchObject({
      result: { structuredContent: { illumination_percent: 100, phase: 'full moon' } },
    });
  });

  it('ends by its own tool only where that is allowed', async () => {
    const { url } = await serve(['moonphase', '--http', '0'], key);
    expect(await (await call(url, 'shutdown', {}, { 'X-Api-Token': 'moon' })).json()).toMatchObject({
      error: { code: -32602 },
    });
    const allowed = await serve(['moonphase', '--http', '0', '--allow-shutdown'], key);
    expect((await call(allowed.url, 'shutdown', {}, { 'X-Api-Token': 'moon' })).status).toBe(200);
    expect(await once(allowed.child, 'exit')).toEqual([0, null]);
  });
});

describe('ccmcp over HTTP with workers', () => {
  /** Notes that one call after the other leaves, each on a connection of its own, and what all of them can find. */
  it('serves notes with several processes on one file: what any of them writes, all read', async () => {
    const db = join(emptyFolder(), 'n.db');
    const { url, said, child } = await serve(['notes', '--http', '0', '--workers', '2', '--db', db]);
    expect(said.match(/is served at/g)).toHaveLength(1);
    const titles = Array.from({ length: 20 }, (_, index) => `note ${index}`);
    const made = await Promise.all(titles.map((title) => call(url, 'create_note', { title, content: 'shared' })));
    for (const answer of made) expect(await answer.json()).toMatchObject({ result: { isError: false } });
    const found = await Promise.all(titles.map(() => call(url, 'list_notes', { limit: 100 })));
    for (const answer of found) {
      const text = JSON.stringify(await answer.json());
      for (const title of titles) expect(text).toContain(title);
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('has every answered call in one audit log, also those of a worker that was killed (OB-01)', async () => {
    const folder = emptyFolder();
    const audit = join(folder, 'audit.jsonl');
    const more = ['--workers', '2', '--db', join(folder, 'n.db'), '--audit', audit];
    const { url, child } = await serve(['notes', '--http', '0', ...more]);
    const answered: string[] = [];
    const create = async (title: string): Promise<void> => {
      // A call whose worker is killed has no answer.
      const answer = await call(url, 'create_note', { title, content: 'x' }, { Connection: 'close' }).catch(() => {});
      if (answer !== undefined && (await answer.text().catch(() => '')) !== '') answered.push(title);
    };
    const several = (name: string): Promise<unknown> =>
      Promise.all(Array.from({ length: 20 }, (_, index) => create(`${name} ${index}`)));

    await several('before');
    const writers = new Set(recordsOf(audit, 'call').map(({ chain }) => chain));
    const victim = recordsOf(audit, 'begin').find(({ chain, pid }) => writers.has(chain) && pid !== child.pid);
    const during = several('during');
    process.kill(victim?.pid as number, 'SIGKILL');
    await during;
    await several('after');
    child.kill('SIGTERM');
    await once(child, 'exit');

    const verified = await run(['audit', 'verify', audit]);
    expect(verified).toMatchObject({ code: 0 });
    const logged = new Set(recordsOf(audit, 'call').map(({ arguments: given }) => given?.title));
    expect(answered.length).toBeGreaterThanOrEqual(40);
    expect(answered.filter((title) => !logged.has(title))).toEqual([]);
    // Both, and the one that took the place of the victim.
    expect(new Set(recordsOf(audit, 'begin').map(({ pid }) => pid)).size).toBeGreaterThanOrEqual(3);
  });

  it('serves a file', async () => {
    const file = fileURLToPath(new URL('fixtures/exported-server.js', import.meta.url));
    const child = spawn(launcher, ['serve', file, '--http', '0', '--workers', '2'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\/\/\S+\/mcp/.exec(String(text))?.[0] ?? '';
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(await answer.json()).toMatchObject({ result: { tools: expect.any(Array) } });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends all of them when a tool of one says so', async () => {
    const env = { MOONPHASE_API_KEY: 'key' };
    const { url, child } = await serve(['moonphase', '--http', '0', '--workers', '2', '--allow-shutdown'], env);
    await call(url, 'shutdown', {}, { 'X-Api-Token': 'key' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['--http', '0', '--workers', '2'], 1, 'ccmcp makes tools while it runs'],
    [['serve', 'x.js', '--http', '0', '--workers', '2', '--watch'], 2, '--watch is for one process'],
  ])('refuses what can not be: %j', async (args, code, message) => {
    const refused = await run(args);
    expect(refused).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});

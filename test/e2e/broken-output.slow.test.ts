import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';
import { addressOf } from './fixtures/serve-http.ts';
import { freePort } from '../support/free-port.ts';
import { root } from '../support/imports.ts';

/** How a stream of the command fails: its reader is gone, its disk is full, or it was closed from the start. */
const ways = ['unread', 'full', 'absent'] as const;
type Way = (typeof ways)[number];

/** Starts the command in a shell with a broken output stream. */
function start(args: string[], broken: { stdout?: Way; stderr?: Way }, cwd?: string) {
  const place = (number: 1 | 2, way: Way | undefined): string =>
    way === 'full' ? ` ${number}>/dev/full` : way === 'absent' ? ` ${number}>&-` : '';
  const places = place(1, broken.stdout) + place(2, broken.stderr);
  const child = spawn('sh', ['-c', `exec "$0" "$@"${places}`, launcher, ...args], { cwd, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (broken.stdout === 'unread') child.stdout.destroy();
  if (broken.stderr === 'unread') child.stderr.destroy();
  const exit = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, exit };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  for await (const part of stream) all += String(part);
  return all;
}

const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const echo = (id: number): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { message: 'x' } },
});

describe.each(ways)('if stderr is %s', (stderr) => {
  it('the command serves on stdio and ends with its input (FT-24)', async () => {
    const { child, exit } = start(['--log-level', 'debug'], { stderr });
    const messages = [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, echo(1), echo(2), echo(3)];
    child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const answers = await text(child.stdout);
    expect(answers).toContain('"id":3');
    expect(await exit).toBe(0);
  });

  it('the command serves over HTTP and stops on a signal (FT-24)', async () => {
    const { child, exit } = start(['--http', '0', '--log-level', 'debug'], { stderr });
    const url = await addressOf(child);
    for (const message of [initialize, echo(1), echo(2), echo(3)]) {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
      expect(response.status).toBe(200);
      await response.text();
    }
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('a usage error still has its exit code (FT-24)', async () => {
    expect(await start(['--wrong'], { stderr }).exit).toBe(2);
    expect(await start(['serve'], { stderr }).exit).toBe(2);
    expect(await start(['--http', '0.0.0.0:0'], { stderr }).exit).toBe(1);
  });

  it('a module may print while it loads (FT-24)', async () => {
    const folder = emptyFolder();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const source = `
      import { createServer } from '@ccmcp/core';
      process.stdout.write('loading\\n');
      export default createServer({ name: 'mine', version: '1' });`;
    writeFileSync(join(folder, 'server.mjs'), source);
    const { child, exit } = start(['serve', 'server.mjs'], { stderr }, folder);
    child.stdin.end(`${JSON.stringify(initialize)}\n`);
    expect(await text(child.stdout)).toContain('"name":"mine"');
    expect(await exit).toBe(0);
  });
});

describe('if stdout', () => {
  it.each(ways)('is %s, the command serves over HTTP nevertheless (FT-24)', async (stdout) => {
    const port = await freePort();
    const { child, exit } = start(['--http', String(port)], { stdout });
    const answer = async (): Promise<number> => {
      for (;;) {
        const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'OPTIONS' }).catch(() => undefined);
        if (response !== undefined) return response.status;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect(await answer()).toBe(405);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('is full, the command reports that its output was not written', async () => {
    const { child, exit } = start(['--help'], { stdout: 'full' });
    expect(await text(child.stderr)).toMatch(/^ccmcp: stdout can't be written to: ENOSPC/);
    expect(await exit).toBe(1);
  });

  it('is closed early, there is no error', async () => {
    const { child, exit } = start(['--help'], { stdout: 'unread' });
    expect(await text(child.stderr)).toBe('');
    expect(await exit).toBe(0);
  });

  it('is full, a server on stdio exits with the reason', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(launcher, [], { stdio: ['pipe', full, 'pipe'] });
    closeSync(full);
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close');
    child.stdin?.on('error', () => {}).write(`${JSON.stringify(initialize)}\n`);
    expect(await text(child.stderr as NodeJS.ReadableStream)).toContain('ENOSPC');
    expect(await ended).toEqual([1, null]);
  });
});

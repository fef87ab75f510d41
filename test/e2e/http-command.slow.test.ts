import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder, launcher, run } from '../support/ccmcp.ts';
import { addressOf, call, serve } from './fixtures/serve-http.ts';

interface Logged {
  readonly chain: string;
  readonly kind: string;
  readonly pid?: number;
  readonly arguments?: { readonly title?: string };
}

/** The records of one kind in an audit log. */
function recordsOf(file: string, kind: string): Logged[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Logged).filter((record) => record.kind === kind);
}

describe('ccmcp over HTTP with workers', () => {
  it('serves a file', async () => {
    const file = fileURLToPath(new URL('fixtures/exported-server.js', import.meta.url));
    const child = spawn(launcher, ['serve', file, '--http', '0', '--workers', '2'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = await addressOf(child);
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(await answer.json()).toMatchObject({ result: { tools: expect.any(Array) } });
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends all of them when a tool of one shuts down', async () => {
    const env = { MOONPHASE_API_KEY: 'key' };
    const { url, child } = await serve(['moonphase', '--http', '0', '--workers', '2', '--allow-shutdown'], env);
    const ended = once(child, 'exit');
    await call(url, 'shutdown', {}, { 'X-Api-Token': 'key' });
    expect(await ended).toEqual([0, null]);
  });

  it('has every answered call in one audit log, also those of a worker that was killed (OB-01)', async () => {
    const folder = emptyFolder();
    const audit = join(folder, 'audit.jsonl');
    const more = ['--workers', '2', '--db', join(folder, 'n.db'), '--audit', audit];
    const { url, child } = await serve(['notes', '--http', '0', ...more]);
    const answered: string[] = [];
    const create = async (title: string): Promise<void> => {
      // A call whose worker is killed gets no response.
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
    // Both workers, and the replacement of the killed one.
    expect(new Set(recordsOf(audit, 'begin').map(({ pid }) => pid)).size).toBeGreaterThanOrEqual(3);
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, run } from '../support/ccmcp.ts';
import { call, serve } from './fixtures/serve-http.ts';

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

describe('ccmcp over HTTP with workers', () => {
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
});

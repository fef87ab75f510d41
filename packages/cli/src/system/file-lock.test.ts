import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withFileLock } from './file-lock.ts';

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
  return join(folder, 'a.lock');
}

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

describe('a lock', () => {
  it('has one holder at a time, and is released after a failure', async () => {
    const path = lockPath();
    let [inside, most] = [0, 0];
    const turn = async (fails: boolean): Promise<string> => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      if (fails) throw new Error('failed');
      return 'done';
    };
    const turns = [true, false, true, false, true].map((fails) => withFileLock(path, () => turn(fails)));
    expect((await Promise.allSettled(turns)).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect([most, existsSync(path)]).toEqual([1, false]);
  });

  it('of an exited process is taken over by one waiting process', async () => {
    const path = lockPath();
    writeFileSync(path, String(await endedProcess()));
    let [inside, most] = [0, 0];
    const turn = async (): Promise<string> => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      return 'in';
    };
    const turns = Array.from({ length: 5 }, () => withFileLock(path, turn));
    expect(await Promise.all(turns)).toEqual(['in', 'in', 'in', 'in', 'in']);
    expect(most).toBe(1);
  });

  it.each([String(process.pid), ''])('that is stale is broken, with any content: %j', async (text) => {
    const path = lockPath();
    writeFileSync(path, text);
    const long = new Date(Date.now() - 600_000);
    utimesSync(path, long, long);
    expect(await withFileLock(path, async () => 'in')).toBe('in');
  });

  it('is awaited as long as its process lives', async () => {
    const path = lockPath();
    const order: string[] = [];
    let leave: () => void = () => {};
    let first: Promise<unknown> = Promise.resolve();
    await new Promise<void>((entered) => {
      const stay = (): Promise<void> =>
        new Promise((resolve) => {
          leave = resolve;
          entered();
        });
      first = withFileLock(path, stay).then(() => order.push('first'));
    });
    const second = withFileLock(path, async () => void order.push('second'));
    leave();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});

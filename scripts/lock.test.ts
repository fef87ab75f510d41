import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ccmcp-lock-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const lockModule = new URL('lock.mjs', import.meta.url).href;

/**
 * Starts a process that holds the lock while it runs `work`, JavaScript with a variable `inside`: a path of its own.
 */
function holdLock(work: string) {
  const program = `
    import { rmSync, writeFileSync } from 'node:fs';
    import { setImmediate as turn } from 'node:timers/promises';
    import { withLock } from ${JSON.stringify(lockModule)};
    const inside = ${JSON.stringify(join(directory, 'inside'))};
    const lock = ${JSON.stringify(join(directory, 'lock'))};
    const options = { waiting: (pid) => console.log('waiting for', pid), work: async () => { ${work} } };
    await withLock(lock, options);
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['pipe', 'pipe', 'inherit'] });
}

// Fails if another process is inside: the file is created exclusively.
const enterAlone = `
  writeFileSync(inside, '', { flag: 'wx' });
  for (let i = 0; i < 200; i++) await turn();
  rmSync(inside);
`;
const holdForever = `console.log('holding'); await new Promise((resolve) => process.stdin.once('data', resolve));`;

async function exitCodes(count: number) {
  const children = Array.from({ length: count }, () => holdLock(enterAlone));
  return Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
}

describe('the set-up lock', () => {
  it('lets one process in at a time, and leaves nothing behind', async () => {
    expect(await exitCodes(6)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('names the process that holds the lock, and continues when it is released', async () => {
    const holder = holdLock(holdForever);
    await once(holder.stdout, 'data');
    const waiter = holdLock(enterAlone);
    const [said] = await once(waiter.stdout, 'data');
    expect(String(said)).toBe(`waiting for ${holder.pid}\n`);
    holder.stdin.end('done');
    expect((await once(waiter, 'exit'))[0]).toBe(0);
  });

  it('is taken over from a killed process by one of many at a time', async () => {
    const holder = holdLock(holdForever);
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(existsSync(join(directory, 'lock'))).toBe(true);
    expect(await exitCodes(6)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ['fails', `throw new Error('on purpose')`],
    ['exits the process', 'process.exit(1)'],
  ])('is released when the work %s', async (_, work) => {
    const program = holdLock(work.replace('throw', 'process.on("uncaughtException", () => process.exit(1)); throw'));
    expect((await once(program, 'exit'))[0]).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endChild } from './end-child.ts';

/** Runs a program that has said that it is there. */
async function run(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: String(said) };
}

const stays = 'setInterval(() => {}, 1000); console.log("ready");';

describe('a child process that is to end', () => {
  it('ends by itself with its input, without a signal', async () => {
    const { child } = await run('process.stdin.on("end", () => process.exit(5)).resume(); console.log("ready")');
    await endChild(child, 60_000);
    expect([child.exitCode, child.signalCode]).toEqual([5, null]);
  });

  it('gets a signal where it stays, and can say goodbye', async () => {
    const { child } = await run(`process.on("SIGTERM", () => process.exit(6)); ${stays}`);
    await endChild(child, 100);
    expect([child.exitCode, child.signalCode]).toEqual([6, null]);
  });

  it('has no choice where it does not listen to that', async () => {
    const { child } = await run(`process.on("SIGTERM", () => {}); ${stays}`);
    await endChild(child, 50);
    expect(child.signalCode).toBe('SIGKILL');
  });

  it('may have ended before, by itself or by a signal', async () => {
    const { child: quick } = await run('console.log("ready")');
    await once(quick, 'exit');
    await expect(endChild(quick, 60_000)).resolves.toBeUndefined();
    const { child: killed } = await run(stays);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await expect(endChild(killed, 60_000)).resolves.toBeUndefined();
  });

  it('is not held by a child of its own that keeps its output', async () => {
    const { child, said } = await run(`
      const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
        stdio: ["ignore", "inherit", "inherit"], detached: true });
      process.stdin.on("end", () => process.exit(0)).resume();
      console.log(pid);`);
    onTestFinished(() => void process.kill(Number(said), 'SIGKILL'));
    const closed = once(child, 'close');
    await endChild(child, 60_000);
    await expect(closed).resolves.toBeDefined();
  });
});

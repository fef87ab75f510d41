import { describe, expect, it, onTestFinished } from 'vitest';
import { safeEnvironment, terminateChild, StderrTail } from './child-process.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { slowStream } from '../fixtures/slow-stream.ts';

function set(name: string, value: string): void {
  const before = process.env[name];
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
  process.env[name] = value;
}

describe('the environment of a child process', () => {
  it('inherits the variables that programs need to run', () => {
    set('HOME', '/home/ann');
    expect(safeEnvironment()).toMatchObject({ HOME: '/home/ann', PATH: process.env.PATH });
  });

  it('leaves out variables that are not set', () => {
    set('TZ', '');
    delete process.env.TZ;
    expect(safeEnvironment()).not.toHaveProperty('TZ');
  });

  it('leaves out secrets and exported shell functions', () => {
    set('OUR_SECRET', 'x');
    set('SHELL', '() { echo; }');
    expect(Object.keys(safeEnvironment())).not.toEqual(expect.arrayContaining(['OUR_SECRET']));
    expect(safeEnvironment()).not.toHaveProperty('SHELL');
  });
});

/** Runs a program that has said that it is there. */
async function run(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: String(said) };
}

const stays = 'setInterval(() => {}, 1000); console.log("ready");';

describe('terminating a child process', () => {
  it('sends no signal if it exits when its input ends', async () => {
    const { child } = await run('process.stdin.on("end", () => process.exit(5)).resume(); console.log("ready")');
    await terminateChild(child, 60_000);
    expect([child.exitCode, child.signalCode]).toEqual([5, null]);
  });

  it('sends SIGTERM if it keeps running, and lets it exit by itself', async () => {
    const { child } = await run(`process.on("SIGTERM", () => process.exit(6)); ${stays}`);
    await terminateChild(child, 100);
    expect([child.exitCode, child.signalCode]).toEqual([6, null]);
  });

  it('sends SIGKILL if it ignores SIGTERM', async () => {
    const { child } = await run(`process.on("SIGTERM", () => {}); ${stays}`);
    await terminateChild(child, 50);
    expect(child.signalCode).toBe('SIGKILL');
  });

  it('resolves for a process that has already exited', async () => {
    const { child: quick } = await run('console.log("ready")');
    await once(quick, 'exit');
    await expect(terminateChild(quick, 60_000)).resolves.toBeUndefined();
    const { child: killed } = await run(stays);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await expect(terminateChild(killed, 60_000)).resolves.toBeUndefined();
  });

  it('does not wait for a grandchild that keeps the output open', async () => {
    const { child, said } = await run(`
      const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
        stdio: ["ignore", "inherit", "inherit"], detached: true });
      process.stdin.on("end", () => process.exit(0)).resume();
      console.log(pid);`);
    onTestFinished(() => void process.kill(Number(said), 'SIGKILL'));
    const closed = once(child, 'close');
    await terminateChild(child, 60_000);
    await expect(closed).resolves.toBeDefined();
  });
});

describe('the stderr tail of a server', () => {
  it('keeps the last 4096 characters', () => {
    const tail = new StderrTail('collect');
    tail.push(Buffer.from(`ab${'x'.repeat(4095)}`));
    expect(tail.text).toBe(`b${'x'.repeat(4095)}`);
    tail.push(Buffer.from('end'));
    expect(tail.text).toBe(`${'x'.repeat(4093)}end`);
  });

  it('decodes a character that is split between chunks', () => {
    const tail = new StderrTail('collect');
    for (const byte of Buffer.from('é€')) tail.push(Buffer.of(byte));
    expect(tail.text).toBe('é€');
  });

  it('passes text to a function and keeps it', () => {
    const received: string[] = [];
    const tail = new StderrTail((text) => void received.push(text));
    tail.push(Buffer.from('one'));
    tail.push(Buffer.from('two'));
    expect([received, tail.text]).toEqual([['one', 'two'], 'onetwo']);
  });

  it.each([
    ['collect', [], 'text'],
    ['inherit', ['text'], 'text'],
    ['ignore', [], ''],
  ] as const)('goes to our stderr only where that is wanted: %s', (wish, written, kept) => {
    const { stream, writes } = slowStream();
    const before = Object.getOwnPropertyDescriptor(process, 'stderr') as PropertyDescriptor;
    onTestFinished(() => void Object.defineProperty(process, 'stderr', before));
    Object.defineProperty(process, 'stderr', { value: stream, configurable: true });
    const tail = new StderrTail(wish);
    tail.push(Buffer.from('text'));
    expect([writes.map(String), tail.text]).toEqual([written, kept]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../fixtures/messages.ts';
import { startServer, type StartOptions } from '../fixtures/spawn.ts';

/** A server whose stderr can't be written to, in one of the ways in which that happens. */
function startBroken(how: 'closed' | 'full', options: StartOptions) {
  const started = startServer(how === 'full' ? { ...options, stderr: '/dev/full' } : options);
  if (how === 'closed') started.child.stderr.destroy();
  return started;
}

describe.each(['closed', 'full'] as const)('a stderr that is %s', (how) => {
  it.each(['stderr', 'broken'] as const)('harms nobody whose log goes there: %s (FT-24)', async (log) => {
    const { child, send, answer, exit } = startBroken(how, { log });
    send(call(1, 'log', { size: 3 }), call(2, 'reject-later'), call(3, 'throw-later'));
    await Promise.all([1, 2, 3].map(answer));
    child.stdin.end();
    expect(await exit).toBe(0);
  });

  it('does not prevent shutdown (FT-24)', async () => {
    const { child, send, answer, exit } = startBroken(how, { log: 'stderr' });
    send(call(1, 'log', { size: 3 }));
    await answer(1);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });
});

describe('a log that was interrupted', () => {
  it('reports how many lines were dropped when it can be written again (FT-24)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ccmcp-fifo-'));
    onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
    const fifo = join(folder, 'stderr');
    await once(spawn('mkfifo', [fifo]), 'close');
    const readNow = (): number => openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);

    const reader = readNow();
    const { send, answer } = startServer({ log: 'stderr', stderr: fifo });
    closeSync(reader);
    send(call(1, 'log', { size: 3 }));
    await answer(1);
    const secondReader = readNow();
    onTestFinished(() => closeSync(secondReader));
    send(call(2, 'log', { size: 2 }));
    await answer(2);
    const buffer = Buffer.alloc(10_000);
    const text = buffer.toString('utf8', 0, readSync(secondReader, buffer));
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toMatchObject([
      { level: 'warning', logger: 'fixture', data: '3 log entries were left out' },
      { data: 'line 1' },
      { data: 'line 2' },
    ]);
  });
});

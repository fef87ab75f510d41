import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { call, initialize, request, textOf } from '../fixtures/messages.ts';
import { program, startServer } from '../fixtures/spawn.ts';

const listen = request('listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } });

describe('the process of a stdio server', () => {
  it('keeps everything but messages off stdout (SF-23, S-IO-01)', async () => {
    const { send, answer, error, received } = startServer();
    send(call(1, 'print', { text: 'hello' }));
    expect(textOf(await answer(1))).toBe('printed');
    expect(await error('write hello')).toBe('log hello\ninfo hello\nwrite hello\n');
    expect(received).toHaveLength(1);
  });

  it('restores stdout at the end with exit: false', async () => {
    const { child, send, exit, received } = startServer({ exit: false });
    send(call(1, 'print', { text: 'x' }));
    child.stdin.end();
    expect(await exit).toBe(7);
    expect(received).toEqual([expect.objectContaining({ id: 1 }), { stdout: 'is back' }]);
  });

  it('does not own the process with an input of its own', async () => {
    const { child, send, exit, received } = startServer({ relayed: true });
    send(call(1, 'print', { text: 'x' }));
    child.stdin.end();
    expect(await exit).toBe(7);
    expect(received).toEqual([expect.objectContaining({ id: 1 }), { stdout: 'is back' }]);
  });

  it('does not handle signals with exit: false', async () => {
    const { child, send, answer, exit } = startServer({ exit: false });
    send(...initialize());
    await answer('init');
    child.kill('SIGTERM');
    expect(await exit).toBe('SIGTERM');
  });

  it('exits with 0 at the end of input although timers are pending (SF-15, SF-17)', async () => {
    const { child, exit, received } = startServer();
    child.stdin.end(JSON.stringify(call(1, 'echo', { text: 'last words' })));
    expect(await exit).toBe(0);
    expect(received.map(textOf)).toEqual(['last words']);
  });

  it('exits at the end of input with calls that never end (SF-16)', async () => {
    const { child, send, exit } = startServer({ grace: 10 });
    send(call(1, 'hang'), listen);
    child.stdin.end();
    expect(await exit).toBe(0);
  });

  it('exits within five seconds of the end of input with a call that never ends, and answers it first (SF-16)', async () => {
    const { child, send, answer, exit } = startServer();
    send(call(1, 'echo', { text: 'x' }), call(2, 'hang'));
    await answer(1);
    const from = performance.now();
    child.stdin.end();
    expect(await exit).toBe(0);
    expect(performance.now() - from).toBeLessThan(5000);
    expect(await answer(2)).toMatchObject({ error: { code: -32603 } });
  });

  it.skipIf(process.platform === 'win32')(
    'exits at the end of input where nobody can read the answer of a running call',
    async () => {
      const { child, send, answer, exit } = startServer({ grace: 600_000 });
      send(call(1, 'echo', { text: 'x' }), call(2, 'hang'));
      await answer(1);
      child.stdout.destroy();
      child.stdin.end();
      expect(await exit).toBe(0);
    },
  );

  it('exits with 0 when its reader closed stdout (SF-18)', async () => {
    const { child, send, exit } = startServer();
    child.stdout.destroy();
    send(call(1, 'echo', { text: 'x' }));
    expect(await exit).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s when idle (SF-20)', async (signal) => {
    const { child, send, answer, exit } = startServer();
    send(...initialize());
    await answer('init');
    child.kill(signal);
    expect(await exit).toBe(0);
  });

  it('exits when its client is killed (SF-21)', async () => {
    // A client that starts the server, reports a response, and is killed.
    const source = `
      const [, program, request] = process.argv;
      const stdio = ['pipe', 'pipe', 'inherit'];
      const server = require('node:child_process').spawn(process.execPath, [program], { stdio });
      server.stdin.write(request + '\\n');
      server.stdout.once('data', () => console.log('answered'));`;
    const client = spawn(process.execPath, ['-e', source, program, JSON.stringify(call(1, 'echo', { text: 'x' }))]);
    await once(client.stdout, 'data');
    client.kill('SIGKILL');
    // The server holds the other end of this pipe for as long as it lives.
    await expect(once(client.stderr.resume(), 'close')).resolves.toBeDefined();
  });

  it.each(['echo', 'hang'])('does not outlive a client that was killed while a call runs: %s (SF-21)', async (name) => {
    // As before, but the call of the second message may never end, and nothing is written.
    const source = `
      const [, program, options, first, second] = process.argv;
      const stdio = ['pipe', 'pipe', 'inherit'];
      const server = require('node:child_process').spawn(process.execPath, [program, options], { stdio });
      server.stdin.write(second + '\\n' + first + '\\n');
      server.stdout.once('data', () => console.log('answered'));`;
    const options = JSON.stringify({ grace: 600_000 });
    const messages = [call(1, 'echo', { text: 'x' }), call(2, name, { text: 'y' })].map((each) => JSON.stringify(each));
    const client = spawn(process.execPath, ['-e', source, program, options, ...messages]);
    await once(client.stdout, 'data');
    client.kill('SIGKILL');
    await expect(once(client.stderr.resume(), 'close')).resolves.toBeDefined();
  });

  it('exits soon on a signal after the end of input (SF-24)', async () => {
    const { child, send, answer, exit } = startServer({ grace: 600_000 });
    send(call(1, 'hang'), listen);
    child.stdin.end();
    // Its response shows that the end of input was noticed.
    await answer('listen');
    child.kill('SIGTERM');
    expect(await answer(1)).toMatchObject({ error: { code: -32603 } });
    expect(await exit).toBe(0);
  });

  it('answers while nobody reads stderr (SF-22)', async () => {
    const { child, send, answer } = startServer();
    child.stderr.pause();
    send(call(1, 'complain', { size: 4_000_000 }), call(2, 'print', { text: 'x'.repeat(2_000_000) }));
    send(...Array.from({ length: 20 }, (_, i) => call(3 + i, 'print', { text: 'x'.repeat(100_000) })));
    expect(textOf(await answer(22))).toBe('printed');
  });

  it('survives a closed stderr', async () => {
    const { child, send, answer, exit } = startServer({ exit: false });
    child.stderr.destroy();
    send(call(1, 'print', { text: 'x' }));
    await answer(1);
    send(call(2, 'print', { text: 'x' }));
    await answer(2);
    child.stdin.end();
    expect(await exit).toBe(7);
  });

  it('drains running calls on SIGTERM, ends long-lived ones, and exits (SF-24)', async () => {
    const { child, send, message, exit, received } = startServer({ grace: 60_000 });
    send(call(1, 'wait-for-signal'), listen);
    await message('notifications/subscriptions/acknowledged');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    const [, ...rest] = received.map(({ id, method }) => id ?? method);
    expect(rest.indexOf('notifications/cancelled')).toBeGreaterThan(rest.indexOf('listen'));
    expect(textOf(received.find(({ id }) => id === 1))).toBe('done');
  });

  it('answers calls that do not finish on SIGTERM with an error (SF-24)', async () => {
    const { child, send, message, answer, exit } = startServer({ grace: 10 });
    send(call(1, 'hang'), listen);
    await message('notifications/subscriptions/acknowledged');
    child.kill('SIGTERM');
    expect(await answer(1)).toMatchObject({ error: { code: -32603 } });
    expect(await exit).toBe(0);
  });

  it.each([
    ['SIGINT', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
  ] as const)('exits at once on a second signal: %s, then %s', async (first, second, code) => {
    const { child, send, answer, message, exit } = startServer({ grace: 60_000 });
    send(call(1, 'hang'), listen);
    await message('notifications/subscriptions/acknowledged');
    child.kill(first);
    await answer('listen');
    child.kill(second);
    expect(await exit).toBe(code);
  });

  it.each([
    ['rejection', 'reject-later', 'Unhandled rejection'],
    ['exception', 'throw-later', 'Uncaught exception'],
  ])('survives an unhandled %s in a tool, and logs it with its stack (LC-12)', async (kind, name, what) => {
    const { send, error, answer } = startServer();
    send(call(1, name));
    const [line = ''] = (await error('stray')).split('\n');
    expect(JSON.parse(line)).toEqual({ data: what, error: expect.stringMatching(new RegExp(`stray ${kind}\\n +at `)) });
    send(call(2, 'echo', { text: 'still here' }));
    expect(textOf(await answer(2))).toBe('still here');
  });
});

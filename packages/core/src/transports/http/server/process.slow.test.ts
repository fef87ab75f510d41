import { describe, expect, it } from 'vitest';
import { answerOf, statelessClient, textOf } from './fixtures/client.ts';
import { rawConnection, rawPost, statusesIn } from './fixtures/raw.ts';
import { startProgram } from './fixtures/start-program.ts';

/** Calls a tool of a program and returns the text of its result. */
async function call(url: string, name: string, args: Record<string, unknown> = {}): Promise<string | undefined> {
  return textOf(await answerOf(await statelessClient(url).sendCall(name, args)));
}

const unhandled = [
  ['reject-later', 'Unhandled rejection', 'stray rejection'],
  ['throw-later', 'Uncaught exception', 'stray exception'],
  ['emit-later', 'Uncaught exception', 'stray event'],
] as const;

describe('an unhandled error in an HTTP server', () => {
  it.each(unhandled)('is logged with its stack, and the process survives: %s (LC-12)', async (name, data, message) => {
    const { url, lines, error } = await startProgram();
    await call(url, name);
    await error(message);
    expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        time: expect.any(String),
        level: 'error',
        logger: 'program',
        data,
        error: expect.stringMatching(new RegExp(`${message}\\n +at `)),
      },
    ]);
    expect(await call(url, 'echo')).toBe('here');
  });

  it('does not break the connection of its request (LC-12)', async () => {
    const { url, error } = await startProgram();
    const connection = await rawConnection(url);
    const call = (name: string): string =>
      rawPost(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }));
    connection.write(call('throw-soon'));
    await connection.until(/thrown/);
    await error('stray exception');
    connection.write(call('echo'));
    expect(statusesIn(await connection.until(/here|400/))).toEqual([200, 200]);
  });

  it('is throttled and counted in a flood (LC-12)', async () => {
    const { url, lines, error } = await startProgram();
    await call(url, 'reject-later', { times: 1000 });
    while (!lines().join('').includes('others before it were suppressed')) {
      await call(url, 'reject-later');
      await error('stray');
    }
    expect(lines().length).toBeLessThan(1000);
  });

  it.each([
    ['reject-later', 3],
    ['throw-later', 4],
  ])('is left to a program that listens for it itself: %s (LC-12)', async (name, code) => {
    const { url, exit, lines } = await startProgram({ listens: true });
    await call(url, name).catch(() => {});
    expect(await exit).toBe(code);
    expect(lines()).toEqual(['']);
  });

  it.each([{ unhandledErrors: 'leave' }, { ownServer: true }])(
    'ends a program whose process is its own, with words: %o',
    async (options) => {
      const { url, exit, error } = await startProgram(options);
      await call(url, 'reject-later').catch(() => {});
      await error('stray rejection');
      expect(await exit).toBe(1);
    },
  );

  it('is left to the program after the service is closed', async () => {
    const { child, exit, error } = await startProgram({ throwsAfterClosing: true });
    child.kill('SIGTERM');
    await error('after closing');
    expect(await exit).toBe(1);
  });
});

describe('a program over HTTP', () => {
  it.each(['closed', 'full'])('keeps serving with a stderr that is %s (FT-24)', async (how) => {
    const { child, url, exit } = await startProgram({}, how === 'full' ? '/dev/full' : undefined);
    child.stderr?.destroy();
    for (const name of ['log', 'log', 'reject-later', 'print', 'throw-later', 'log', 'echo']) await call(url, name);
    child.stdout?.destroy();
    for (const name of ['print', 'print', 'log']) await call(url, name);
    expect(await call(url, 'echo')).toBe('here');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });
});

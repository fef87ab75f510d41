import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../support/imports.ts';

const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Runs the command on a terminal in the clone, and ends the input when a text has appeared. */
function screenOf(args: string[], until: RegExp): Promise<string> {
  const command = ['./ccmcp', ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], { cwd: root, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  let isAsked = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (isAsked || !until.test(screen)) return;
    isAsked = true;
    child.stdin.write('\u0004');
  });
  return new Promise((resolve) => child.on('close', () => resolve(screen)));
}

describe.skipIf(!hasTerminals)('a server that is started on a terminal', () => {
  it('explains that it waits for a client, and what to type instead', async () => {
    const screen = await screenOf([], /tells the rest/);

    expect(screen).toMatch(/waits for the messages of a client/);
    for (const command of ['list ccmcp', 'call ccmcp TOOL', 'install CLIENT ccmcp', 'ccmcp --http', 'help']) {
      expect(screen).toContain(`./ccmcp ${command}`);
    }
  });

  it('prints its name', async () => {
    expect(await screenOf(['moonphase'], /tells the rest/)).toContain('./ccmcp list moonphase');
  });

  it('prints the name of its file', async () => {
    const file = 'examples/greet/server.js';
    const screen = await screenOf(['serve', file], /tells the rest/);

    expect(screen).toContain(`./ccmcp call ${file} TOOL`);
    expect(screen).toContain(`./ccmcp serve ${file} --http`);
  });
});

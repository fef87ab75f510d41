import { spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { launcher } from './ccmcp.ts';

/** Whether tests can have a terminal here. */
export const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Runs a command on a terminal, and types a text when this one has appeared since the last. */
export function onTerminal(
  args: string[],
  answers: [RegExp, string][],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; screen: string; written: string }> {
  const command = [launcher, ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 80; exec ${command}`, '/dev/null'], {
    stdio: 'pipe',
    // No history of whoever runs the tests, and no colours or images that their terminal has.
    env: { ...process.env, TERM: 'xterm', TERM_PROGRAM: '', CCMCP_HISTORY: '', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  let written = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    // What steers the terminal is not what a person sees.
    screen = (screen + text).replace(/(?![\r\n\t])\p{Cc}\[[0-9;]*[A-Za-z]/gu, '');
    const [pattern, answer = ''] = answers[0] ?? [];
    if (pattern === undefined || !pattern.test(screen.slice(answered))) return;
    answered = screen.length;
    answers.shift();
    child.stdin.write(answer);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, screen, written })));
}

import { spawn } from 'node:child_process';

/** What a program said. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const patienceMs = 60_000;
const mostRead = 64 * 1024;

/** Runs a program with a text on its stdin, where no other user sees it. */
export function runProgram(program: string, args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe', timeout: patienceMs, windowsHide: true });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, mostRead);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, mostRead);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { host } from '../host.ts';

/** The shell command of the pager; undefined if none is wanted. */
export function pagerCommand(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string | undefined {
  const wanted = env.CCMCP_PAGER ?? env.PAGER ?? defaultPager(env, platform);
  return wanted.trim() === '' || wanted.trim() === 'cat' ? undefined : wanted;
}

function defaultPager({ PATH = '' }: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'more';
  const folders = PATH.split(delimiter).filter(isAbsolute);
  return folders.some((folder) => existsSync(join(folder, 'less'))) ? 'less' : '';
}

/**
 * Shows an escaped text in a pager until the user quits it. False if the program could not be started. The pager handles
 * Ctrl+C meanwhile.
 */
export async function showInPager(text: string, command: string): Promise<boolean> {
  const { signals } = host;
  const before = signals.listeners('SIGINT') as (() => void)[];
  signals.removeAllListeners('SIGINT').on('SIGINT', ignore);
  try {
    return await runPager(text, command);
  } finally {
    signals.off('SIGINT', ignore);
    for (const listener of before) signals.on('SIGINT', listener);
  }
}

function runPager(text: string, command: string): Promise<boolean> {
  return new Promise((resolve) => {
    // less: pass colours through, exit at once if everything fits on a page, don't clear the screen.
    const env = { LESS: 'FRX', LV: '-c', ...process.env };
    const child = spawn(command, { shell: true, env, stdio: ['pipe', 'inherit', 'inherit'] });
    child.on('error', () => resolve(false));
    // The shell exits with 127 where there is no such program.
    child.on('close', (code) => resolve(code !== 127));
    // The user may quit before everything is read.
    child.stdin.on('error', ignore);
    child.stdin.end(text);
  });
}

function ignore(): void {}

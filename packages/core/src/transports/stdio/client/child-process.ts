import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { limits } from '../../../limits.ts';
import { writeToStderr } from '../../../server/observe/stderr.ts';

const maxTail = limits.clientStdio.stderr.value;
/** How much server output may queue on this process's own stderr; more is dropped. */
const maxUnread = limits.server.unreadLog.value;

/** Handles the stderr of a server as configured, and keeps its end. */
export class StderrTail {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #wish: 'collect' | 'inherit' | 'ignore' | ((text: string) => void);
  text = '';

  constructor(wish: 'collect' | 'inherit' | 'ignore' | ((text: string) => void)) {
    this.#wish = wish;
  }

  push(chunk: Buffer): void {
    if (this.#wish === 'ignore') return;
    if (this.#wish === 'inherit') writeToStderr(chunk, { maxUnread });
    const text = this.#decoder.decode(chunk, { stream: true });
    this.text = `${this.text}${text}`.slice(-maxTail);
    if (typeof this.#wish === 'function') this.#wish(text);
  }
}

const inheritedVariablesOnWindows = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
];

const inheritedVariables = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_RUNTIME_DIR',
];

/** The environment for a server: enough to run, without secrets. */
export function safeEnvironment(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of process.platform === 'win32' ? inheritedVariablesOnWindows : inheritedVariables) {
    const value = process.env[name];
    // An exported shell function could run code.
    if (value !== undefined && !value.startsWith('()')) found[name] = value;
  }
  return found;
}

/** Terminates a server gracefully: closes its input, then sends SIGTERM, then SIGKILL, each after the grace period. */
export async function terminateChild(child: ChildProcessWithoutNullStreams, graceMs: number): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  child.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await waitFor(graceMs, exited)) break;
    child.kill(signal);
  }
  await exited;
  // Grandchildren may keep the output open.
  child.stdout.destroy();
  child.stderr.destroy();
}

function waitFor(milliseconds: number, done: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void done.finally(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { writeToStderr } from '../../../server/log/stderr.ts';

/** End of the server's stderr that is kept, in characters. */
const maxTail = 4096;
/** How much server output may queue on this process's own stderr; more is dropped. */
const maxUnread = 1024 * 1024;

/** Handles the stderr of a server as configured, and keeps its end. */
export class StderrTail {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #mode: 'collect' | 'inherit' | 'ignore' | ((text: string) => void);
  text = '';

  constructor(mode: 'collect' | 'inherit' | 'ignore' | ((text: string) => void)) {
    this.#mode = mode;
  }

  push(chunk: Buffer): void {
    if (this.#mode === 'ignore') return;
    if (this.#mode === 'inherit') writeToStderr(chunk, { maxUnread });
    const text = this.#decoder.decode(chunk, { stream: true });
    this.text = `${this.text}${text}`.slice(-maxTail);
    if (typeof this.#mode === 'function') this.#mode(text);
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

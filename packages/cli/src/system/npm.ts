import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';

/** The exit code and output of a program. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The working directory of npm, and its abort signal. */
export interface NpmOptions {
  cwd: string;
  signal: AbortSignal;
}

/** Runs npm until it exits. */
export async function npm(args: readonly string[], { cwd, signal }: NpmOptions): Promise<Ended> {
  // npm is usually in the folder of node, which may not be on the PATH.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, NO_COLOR: '1', npm_config_color: 'false', npm_config_progress: 'false' };
  // A user waits: by default npm retries for a minute if its registry is unreachable.
  const timeouts = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];
  const child = spawn('npm', [...args, ...timeouts, '--loglevel=error'], {
    cwd,
    env,
    signal,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    signal.throwIfAborted();
    throw new Error(error.code === 'ENOENT' ? 'npm is not there: it comes with Node' : error.message, { cause: error });
  })) as [number | null];
  return { code, stdout, stderr };
}

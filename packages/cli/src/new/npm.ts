import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';

/** The exit code and output of a program. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Where npm runs, and when it is to end. */
export interface NpmOptions {
  cwd: string;
  signal: AbortSignal;
}

/** Runs npm to its end. */
export async function npm(args: readonly string[], { cwd, signal }: NpmOptions): Promise<Ended> {
  // It is usually beside node, also where the PATH does not say so.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, NO_COLOR: '1', npm_config_color: 'false', npm_config_progress: 'false' };
  // A user waits: by default npm retries for a minute where its registry is unreachable.
  const patience = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000'];
  const child = spawn('npm', [...args, ...patience, '--loglevel=error'], {
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

/** Explains why npm could not install, and what to do. */
export function explainInstall(stderr: string): string {
  if (/\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.test(stderr)) {
    return 'npm can not reach its registry. Once it can, run "npm install" there';
  }
  if (/\bE404\b[^]*@ccmcp/.test(stderr)) {
    return 'the registry has no @ccmcp/core. Run "ccmcp new" from a clone, which brings it along';
  }
  const lines = stderr.split('\n').filter((line) => line !== '' && !/A complete log of this run/.test(line));
  return `npm could not install what the project needs; run "npm install" there and look at what it says:\n${lines.slice(0, 10).join('\n')}`;
}

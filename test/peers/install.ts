import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustTestEverything } from '../support/everything.ts';

/** The folder of the other libraries' programs. */
export const peers = dirname(fileURLToPath(import.meta.url));

/** Installs them unless they exist. Returns the reason if that is impossible here. */
export function installPeers(): Promise<string | undefined> {
  return installPackages(peers);
}

/**
 * Installs the dependencies of a folder's `package.json` unless they exist. Returns the reason if that is impossible
 * here.
 */
export async function installPackages(folder: string): Promise<string | undefined> {
  const wanted = readFileSync(join(folder, 'package.json'), 'utf8');
  const mark = join(folder, 'node_modules', '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return undefined;
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--fetch-retries=0'];
  const { CCMCP_TEST_CA_CERTS: certificates } = process.env;
  const env = { ...process.env, ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: certificates }) };
  const npm = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await once(npm, 'close').then(
    ([exit]: unknown[]) => exit,
    (error: Error) => error.message,
  );
  if (code === 0) {
    writeFileSync(mark, wanted);
    return undefined;
  }
  const reason = /npm error (.*)/.exec(errors)?.[1] ?? `npm ended with ${String(code)}`;
  if (mustTestEverything) throw new Error(`What ${folder} names can't be installed: ${reason}`);
  return reason;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Node lines that are tested in addition to the current one. */
export const otherLines = ['22', '24', '26'];

/**
 * Installs the newest Node of a line from the npm registry into a cache outside the repository. If the registry is
 * unreachable, returns the cached one.
 *
 * @param {string} line
 * @returns {Promise<{ path: string, version: string } | undefined>} undefined if there is none
 */
export async function otherNode(line) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ccmcp', 'nodes');
  const folder = join(cache, line);
  mkdirSync(folder, { recursive: true });
  const args = ['install', `${name}@${line}`, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--silent'];
  const npm = spawn('npm', [...args, '--prefix', folder], {
    cwd: folder,
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
  });
  const [status] = await once(npm, 'exit');
  const path = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) {
    console.error(`npm could not install Node ${line} (package ${name}) into ${folder}. Is the registry within reach?`);
    return undefined;
  }
  if (status !== 0) console.error(`npm could not look for a newer Node ${line}: the one that is there is used`);
  return { path, version: await versionOf(path) };
}

/** @param {string} node @returns {Promise<string>} */
async function versionOf(node) {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text.trim().slice(1);
}

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };
import { npm } from '../system/npm.ts';

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

/** The source of `@ccmcp/core` for a new project: the clone that this command runs in, or else the registry. */
export type CoreSource = { kind: 'clone'; root: string } | { kind: 'registry'; range: string };

/** Finds out where this command runs. */
export function findCoreSource(folder = import.meta.dirname): CoreSource {
  const home = enclosingPackage(folder);
  const root = dirname(dirname(home));
  const isClone = nameIn(join(root, 'packages/core')) === '@ccmcp/core' && existsSync(join(root, 'scripts/setup.mjs'));
  if (home !== '' && isClone) return { kind: 'clone', root };
  return { kind: 'registry', range: `^${manifest.devDependencies['@ccmcp/core']}` };
}

/** The folder of the package that contains another one; empty if there is none. */
function enclosingPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(folder) === folder ? '' : enclosingPackage(dirname(folder));
}

function nameIn(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { name?: string }).name : undefined;
}

/** The options of packing. */
export interface Packing {
  /** The clone. */
  root: string;
  /** The folder that receives the package. */
  into: string;
  signal: AbortSignal;
}

/** Packs the core of a clone as a release would, as last built. Returns the name of the file. */
export async function packCore({ root, into, signal }: Packing): Promise<string> {
  const core = join(root, 'packages/core');
  if (!existsSync(join(core, 'dist/index.js'))) build(root);
  const copy = mkdtempSync(join(tmpdir(), 'ccmcp-pack-'));
  try {
    for (const part of ['README.md', 'dist']) cpSync(join(core, part), join(copy, part), { recursive: true });
    cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'));
    const { scripts: _, ...published } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8')) as {
      scripts?: object;
    };
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    const { code, stdout, stderr } = await npm(['pack', '--pack-destination', into], { cwd: copy, signal });
    if (code !== 0) throw new Error(`npm could not pack @ccmcp/core:\n${stderr}`);
    return stdout.trim().split('\n').at(-1) ?? '';
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function build(root: string): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`@ccmcp/core could not be built in ${root}`);
}

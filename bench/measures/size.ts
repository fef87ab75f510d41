import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bench } from '../bench.ts';
import { subjects } from '../subjects.ts';

/** Installed size: the packages that a server imports, and their dependencies. */
export async function measureSize({ folder, samples }: Bench): Promise<void> {
  const root = join(folder, 'peers');
  for (const { name, packages } of subjects) {
    if (packages.length === 0) continue;
    const found = new Set<string>();
    for (const each of packages) collect(root, each, found);
    const bytes = [...found].reduce((sum, path) => sum + bytesOf(path), 0);
    const values = { megabytes: bytes / 1024 / 1024, packages: found.size };
    samples.add({ measure: 'size', subject: name, round: 0, values });
  }
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

function collect(from: string, name: string, found: Set<string>): void {
  const path = locate(from, name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  if (found.has(path)) return;
  found.add(path);
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  for (const dependency of Object.keys(manifest.dependencies ?? {})) collect(path, dependency, found);
  for (const peer of Object.keys(manifest.peerDependencies ?? {})) {
    if (manifest.peerDependenciesMeta?.[peer]?.optional !== true) collect(path, peer, found);
  }
}

/** Finds a package as Node does. */
function locate(from: string, name: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (existsSync(join(path, 'package.json'))) return path;
  return from.endsWith('peers') ? undefined : locate(dirname(from), name);
}

/** The size of a folder without its `node_modules`. */
export function bytesOf(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const inner = join(path, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(inner) : statSync(inner).size);
  }, 0);
}

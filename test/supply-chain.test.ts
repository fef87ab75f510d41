import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/imports.ts';

interface Manifest {
  name: string;
  version?: string;
  private?: boolean;
  scripts?: Record<string, string>;
  publishConfig?: { provenance?: boolean };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

interface Locked {
  version?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  integrity?: string;
  hasInstallScript?: boolean;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

const whole = read('package.json') as Manifest;
const published = readdirSync(join(root, 'packages')).map((name) => read(`packages/${name}/package.json`) as Manifest);
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

describe('an installation', () => {
  it('runs none of our scripts, and only listed ones of others (OB-06)', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    for (const { scripts = {} } of [whole, ...published]) {
      expect(Object.keys(scripts).filter((name) => hooks.includes(name))).toEqual([]);
    }
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    const undecided = scripted.filter(
      ([path]) => !(path.replace(/^.*node_modules\//, '') in (whole.allowScripts ?? {})),
    );
    expect(undecided).toEqual([]);
    expect(Object.values(whole.allowScripts ?? {})).not.toContain(true);
    expect(scripted.filter(([, { dev }]) => dev !== true)).toEqual([]);
  });

  it('has exact versions and checksums (OB-06)', () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { version = '' }]) => !exact.test(version))).toEqual([]);
    // Optional packages for other platforms are not in the lock file.
    const unchecked = installed.filter(([, { integrity, dev, optional }]) => !integrity && !(dev && optional));
    expect(unchecked).toEqual([]);
  });
});

describe('a published package', () => {
  it.each(published)('names exact versions, and its build: $name (OB-06)', (manifest) => {
    const { dependencies = {}, optionalDependencies = {}, publishConfig } = manifest;
    const wanted = Object.entries({ ...dependencies, ...optionalDependencies });
    expect(wanted.filter(([, version]) => !exact.test(version))).toEqual([]);
    expect(publishConfig?.provenance).toBe(true);
  });

  it('has a bill of materials, generated from the lock file offline (OB-06)', () => {
    const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--offline'];
    const { stdout, status } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
    expect(status).toBe(0);
    const { components } = JSON.parse(stdout) as { components: { purl: string; hashes?: unknown[] }[] };
    const names = components.map(({ purl }) => purl.replace(/^pkg:npm\/(.*)@.*$/, '$1').replace('%40', '@'));
    const direct = published.flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
    expect(names).toEqual(expect.arrayContaining([...published.map(({ name }) => name), ...direct]));
    const bought = components.filter(({ purl }) => !purl.includes('%40ccmcp/') && !purl.includes('pkg:npm/ccmcp@'));
    expect(bought.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  });
});

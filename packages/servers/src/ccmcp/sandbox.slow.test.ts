import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyFolder } from '../../../../test/support/ccmcp.ts';
import { openSandbox, type SandboxOptions } from './sandbox.ts';

describe.each<[string, SandboxOptions]>([
  ['with held descriptors', {}],
  ['with checked paths', { withoutDescriptors: true }],
])('a sandbox %s', (_, options) => {
  it('lists 20 000 entries (FS-21)', () => {
    const root = emptyFolder();
    const deep = join(root, 'sub/deep');
    mkdirSync(deep, { recursive: true });
    execFileSync('sh', ['-c', 'seq 20000 | xargs touch'], { cwd: deep });
    const sandbox = openSandbox(root, options);
    onTestFinished(() => sandbox.close());
    expect(sandbox.listDirectory('sub/deep')).toHaveLength(20_000);
  });

  it('walks directories as deep as a path can be long', () => {
    const root = emptyFolder();
    const path = 'd/'.repeat(300);
    let at = root;
    for (let depth = 0; depth < 300; depth++) {
      at = join(at, 'd');
      mkdirSync(at);
    }
    const sandbox = openSandbox(root, options);
    onTestFinished(() => sandbox.close());
    expect(sandbox.writeFile(`${path}f.txt`, 'deep')).toBe(4);
    expect(sandbox.readFile(`${path}f.txt`)).toBe('deep');
  });
});

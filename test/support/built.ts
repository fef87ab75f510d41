import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './imports.ts';

/** Builds what is out of date, once before all tests: many tests start built programs. */
export default function setup(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed: its message stands above');
}

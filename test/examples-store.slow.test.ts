import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('examples/shared-store has a store that passes the contract of stores', async () => {
  const file = fileURLToPath(new URL('../examples/shared-store/store.test.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);

  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(50);
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(stdout).toMatch(/^# skipped 0$/m);
});

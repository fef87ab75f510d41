import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './files.mjs';
import { root } from './packages.mjs';

// Groups of tests that a file name does not show: `*.slow.test.ts` is slow, `test/browser` needs a browser.

/**
 * Quick tests that depend on the Node they run on: its streams, sockets, processes, files, cryptography, regular
 * expressions, SQLite. The Node lines between the oldest and the newest run only these. Paths, or prefixes of paths.
 */
export const runtimeTests = [
  'packages/core/src/features/audit/',
  'packages/core/src/auth/server/',
  'packages/core/src/runtime/',
  'packages/core/src/schema/patterns/',
  'packages/core/src/transports/',
  'packages/postgres/src/store',
  'packages/redis/src/store',
  'packages/servers/src/ccmcp/',
  'packages/servers/src/notes/sqlite/',
  'test/client/',
  'test/e2e/permission.test.ts',
  'test/e2e/stdio.test.ts',
  'test/e2e/terminal.test.ts',
  'test/guard.test.ts',
  'test/http/',
  'test/instances/',
  'test/user-project.test.ts',
];

/** Slow tests that measure memory or time, which a busy machine distorts: each runs alone. */
export const measuringTests = [
  'packages/core/src/schema/hostile.slow.test.ts',
  'packages/core/src/transports/stdio/server/pressure.slow.test.ts',
  'test/growth.slow.test.ts',
  'test/http/cost.slow.test.ts',
  'test/http/exhaustion.slow.test.ts',
  'test/http/memory.slow.test.ts',
];

/** All test files, as paths from the root. */
export function testFiles() {
  return ['packages', 'scripts', 'test']
    .flatMap((folder) => filesBelow(join(root, folder)).map((path) => `${folder}/${path.replaceAll('\\', '/')}`))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'));
}

/** Test files with fake timers: each runs in its own process. */
export function fakeTimerTests() {
  return testFiles().filter((path) => readFileSync(join(root, path), 'utf8').includes('useFakeTimers('));
}

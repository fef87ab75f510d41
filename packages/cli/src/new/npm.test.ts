import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { npm } from '../system/npm.ts';
import { explainInstall, findCoreSource } from './npm.ts';
import core from '../../../core/package.json' with { type: 'json' };

it.each([
  ['npm error code ENOTFOUND\nnpm error network request to https://x failed', 'can not reach its registry'],
  ['npm error code EAI_AGAIN', 'can not reach its registry'],
  ["npm error code E404\nnpm error 404  The requested resource '@ccmcp/core@^0.1.0'", 'from a clone'],
  ['npm error code EACCES\nnpm error syscall mkdir\n', 'npm error syscall mkdir'],
])('explains the errors of npm: %s', (stderr, text) => {
  expect(explainInstall(stderr)).toContain(text);
});

it('npm exits when it is aborted', async () => {
  const controller = new AbortController();
  const running = npm(['--version'], { cwd: '.', signal: controller.signal });
  controller.abort(new Error('interrupted'));
  await expect(running).rejects.toThrow('interrupted');
});

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-core-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

it('the core comes from the clone that the command runs in', () => {
  const root = folderWith({
    'packages/cli/package.json': '{"name":"ccmcp"}',
    'packages/cli/dist/chunks/x.cjs': '',
    'packages/core/package.json': '{"name":"@ccmcp/core"}',
    'scripts/setup.mjs': '',
  });
  expect(findCoreSource(join(root, 'packages/cli/dist/chunks'))).toEqual({ kind: 'clone', root });
});

it('the core is that of the registry if the command was installed from there, in the matching version', () => {
  const root = folderWith({
    'node_modules/ccmcp/package.json': '{"name":"ccmcp"}',
    'node_modules/ccmcp/dist/chunks/x.cjs': '',
    'packages/core/package.json': '{"name":"core"}',
  });
  const source = findCoreSource(join(root, 'node_modules/ccmcp/dist/chunks'));
  expect(source).toEqual({ kind: 'registry', range: `^${core.version}` });
});

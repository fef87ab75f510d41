import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import core from '../../../core/package.json' with { type: 'json' };
import { findCoreSource } from './core-package.ts';

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-core-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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

it('the core comes from the registry where the command was installed, in the version that belongs to it', () => {
  const root = folderWith({
    'node_modules/ccmcp/package.json': '{"name":"ccmcp"}',
    'node_modules/ccmcp/dist/chunks/x.cjs': '',
    'packages/core/package.json': '{"name":"core"}',
  });
  const source = findCoreSource(join(root, 'node_modules/ccmcp/dist/chunks'));
  expect(source).toEqual({ kind: 'registry', range: `^${core.version}` });
});

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the module for pages is small, and needs nothing of Node', async () => {
  const { outputFiles, warnings } = await build({
    stdin: { contents: "export { appHost } from '@ccmcp/core/apps-host';", resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['ccmcp-source'],
    logLevel: 'silent',
  });
  const text = outputFiles[0]?.text ?? '';

  expect(warnings).toEqual([]);
  expect(text).not.toMatch(/\bimport\b|node:/);
  expect(text.length).toBeLessThan(36 * 1024);
  expect(gzipSync(text).length).toBeLessThan(13 * 1024);
});

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { otherNode } from '../../scripts/other-nodes.mjs';
import { emptyFolder } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';
import { McpClient } from '../support/mcp-client.ts';
import { linkedProject } from '../support/project.ts';
import { childWire } from '../support/wires.ts';

const [older, newer] = [await otherNode('22'), await otherNode('24')];

/** Serves a file with `ccmcp serve` and calls its tool. */
async function serve(node: string, project: string, cache: string): Promise<void> {
  const wire = childWire(node, [join(root, 'packages/cli/dist/main.cjs'), 'serve', 'server.mjs'], {
    cwd: project,
    env: { XDG_CACHE_HOME: cache },
  });
  onTestFinished(() => wire.close());
  const client = new McpClient(wire, { version: '2025-11-25' });
  await client.initialize();
  expect(await client.request('tools/call', { name: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] });
  // The cache is written by now.
  await wire.close();
  expect((await wire.exited).code).toBe(0);
}

it.skipIf(older === undefined || newer === undefined || process.platform !== 'linux')(
  'a server file is served with a new, a filled and a damaged compile cache, and with one of another Node',
  async () => {
    const project = linkedProject({
      'server.mjs': `
        import { createServer, tool } from '@ccmcp/core';
        export default createServer({ name: 's', version: '1', tools: [tool('hello', {}, () => 'hello')] });
      `,
    });
    const cache = emptyFolder();
    const folder = join(cache, 'ccmcp/compiled');
    const files = (): string[] =>
      readdirSync(folder).flatMap((each) => readdirSync(join(folder, each)).map((file) => join(folder, each, file)));

    await serve(newer?.path ?? '', project, cache);
    const filled = files().length;
    expect(filled).toBeGreaterThan(0);
    await serve(newer?.path ?? '', project, cache);
    await serve(older?.path ?? '', project, cache);
    expect(files().length).toBeGreaterThan(filled);
    for (const file of files()) writeFileSync(file, 'damaged');
    await serve(newer?.path ?? '', project, cache);
    await serve(older?.path ?? '', project, cache);
  },
);

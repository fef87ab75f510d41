import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, onTestFinished } from 'vitest';
import type { Order, Usage } from './child-server.ts';

export interface Child {
  url: string;
  /** Does something in the child, and gives what it uses afterwards. */
  order(order: Order): Promise<Usage>;
}

const folder = mkdtempSync(join(tmpdir(), 'ccmcp-http-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = join(folder, 'server.mjs');
buildSync({
  entryPoints: [fileURLToPath(new URL('./child-server.ts', import.meta.url))],
  outfile: program,
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['ccmcp-source'],
});

/** Starts a server in a process of its own; it is ended with the test. */
export async function startChild(): Promise<Child> {
  const child = fork(program, { execArgv: ['--expose-gc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    async order(order) {
      child.send(order);
      const [usage] = (await once(child, 'message')) as [Usage];
      return usage;
    },
  };
}

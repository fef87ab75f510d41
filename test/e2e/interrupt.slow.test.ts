import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder, launcher } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

const chatty = `
  import { createServer, tool } from '${join(root, 'packages/core/dist/index.js')}';
  export default createServer({ name: 'chatty', version: '1.0.0', tools: [
    tool('talk', {}, (_, { log }) => new Promise(() => {
      log('info', 'begun');
      process.once('SIGINT', () => setInterval(() => log('info', 'late'), 300));
    })),
  ] });`;

// Slow: a server that does not stop is given its grace period.
it('shows no log messages of the server after Ctrl+C on a call, only that it was interrupted', async () => {
  const file = join(emptyFolder(), 'server.mjs');
  writeFileSync(file, chatty);
  const options = { stdio: 'pipe', detached: true } as const;
  const child = spawn(launcher, ['call', file, 'talk', '--log-level', 'info'], options);
  const ended = once(child, 'close');
  let stderr = '';
  let isInterrupted = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (isInterrupted || child.pid === undefined || !stderr.includes('begun')) return;
    isInterrupted = true;
    // Ctrl+C reaches the whole process group.
    process.kill(-child.pid, 'SIGINT');
  });
  expect(await ended).toEqual([130, null]);
  expect(stderr).toBe('[info] chatty: begun\nccmcp: interrupted\n');
});

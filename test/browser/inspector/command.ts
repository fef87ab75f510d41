import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { emptyFolder, launcher } from '../../support/ccmcp.ts';
import { openWindow } from '../../support/chromium.ts';

/**
 * Opens the page of `ccmcp inspect` with these arguments, in a folder that an earlier one may have used; the command
 * ends with the test.
 */
export async function inspect(
  words: readonly string[],
  window: BrowserContextOptions = {},
  folder = emptyFolder(),
): Promise<{ page: Page; folder: string }> {
  const child = spawn(process.execPath, [launcher, 'inspect', '--no-open', ...words], {
    cwd: folder,
    env: { ...process.env, CCMCP_INSPECTOR: join(folder, 'state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill();
    // It writes to the folder, which is removed next, until it has exited.
    await ended;
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\S+#token=[\w-]+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`ccmcp inspect ended with ${code}: ${said}`)));
  });
  const opened = await openWindow({ viewport: { width: 1440, height: 900 }, ...window });
  const page = await opened.newPage();
  await page.goto(url);
  return { page, folder };
}

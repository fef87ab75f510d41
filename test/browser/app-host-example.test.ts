import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { hasChromium, openWindow } from '../support/chromium.ts';

it.skipIf(!hasChromium)('examples/app-host shows the view of the moon', async () => {
  const program = spawn(process.execPath, [fileURLToPath(new URL('../../examples/app-host/host.js', import.meta.url))]);
  onTestFinished(() => void program.kill());
  let complaint = '';
  program.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(program.stdout).once('line', resolve);
    program.once('exit', () => reject(new Error(`The example ended: ${complaint}`)));
  });
  const page = await (await openWindow()).newPage();
  await page.goto(address);

  await expect.poll(() => page.evaluate("document.querySelector('#status').textContent")).toMatch(/is shown$/);
  const view = page.mainFrame().childFrames()[0]?.childFrames()[0];
  await expect.poll(() => view?.evaluate('document.body.innerText')).toMatch(/full moon/i);
});

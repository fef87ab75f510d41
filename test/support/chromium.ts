import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { mustHave } from './everything.ts';

const names = [process.env.CHROMIUM_PATH, 'chromium', 'chromium-browser', 'google-chrome'];

// A test's browser asks nobody in the network: not for updates, and not for what it would like to know.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];

/** Ends only what hangs, on however busy a machine. */
const patienceMs = 60_000;

/** Whether there is a browser to test with. Where it must be there and is not, that is an error. */
export const hasChromium = findChromium() !== undefined;

function findChromium(): string | undefined {
  const found = names.find((name) => name && spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (found !== undefined) return executable(found);
  if (mustHave('chromium')) throw new Error('chromium is not on the PATH; CHROMIUM_PATH says where it is');
  process.stderr.write('What is shown in a browser is not tested: chromium is not on the PATH\n');
  return undefined;
}

function executable(name: string): string {
  return name.includes('/') ? name : spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
}

let browser: Promise<Browser> | undefined;

/** A window of a browser that knows nothing yet, until the test is over. The browser is one for all tests of a file. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  browser ??= launch();
  const window = await (await browser).newContext(options);
  window.setDefaultTimeout(patienceMs);
  onTestFinished(() => window.close());
  return window;
}

/**
 * A window of a browser as people have it, until the test is over. Playwright's own flags switch off what keeps the storage of frames
 * apart, and then frames of other sites have none.
 */
export async function openUsualWindow(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
  const { args = [], chromiumSandbox, ...options } = launching();
  const needed = ['--headless', '--remote-debugging-pipe', `--user-data-dir=${folder}`];
  const usual = await chromium.launch({
    ...options,
    ignoreDefaultArgs: true,
    args: [...args, ...needed, ...(chromiumSandbox === true ? [] : ['--no-sandbox'])],
  });
  onTestFinished(async () => {
    await usual.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return usual.newContext();
}

function launch(): Promise<Browser> {
  return chromium.launch(launching());
}

function launching(): LaunchOptions {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: skip the test where hasChromium is false');
  // The sandbox of Chromium can't be had as root.
  return { executablePath, args: [...quiet, '--no-first-run'], chromiumSandbox: process.getuid?.() !== 0 };
}

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

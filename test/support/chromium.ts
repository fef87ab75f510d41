import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';

const executablePath = inject('chromium');

/** Whether a browser is available. */
export const hasChromium = executablePath !== undefined;

/** A timeout for hung browsers only: a busy machine must not trigger it. */
const patienceMs = 60_000;

/**
 * Features that are off: those that Playwright switches off for tests (its list is replaced by this one), the popups of the
 * address bar, which are pages of their own in every window and take half of its CPU time, and the renderer that is started ahead
 * for a page that never comes. Storage in frames stays partitioned, as in a user's browser.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** One browser for all test files of a worker: it outlives their modules. */
const worker = globalThis as { browser?: Promise<Browser> | undefined };

/** A browser window without history or storage, until the test ends. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  worker.browser ??= launch();
  const window = await (await worker.browser).newContext(options);
  window.setDefaultTimeout(patienceMs);
  onTestFinished(() => window.close());
  return window;
}

async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium: skip the test where hasChromium is false');
  const browser = await chromium.launch({
    executablePath,
    args: [`--disable-features=${disabledFeatures.join()}`, '--disable-quic'],
    // Chromium's sandbox does not work as root.
    chromiumSandbox: process.getuid?.() !== 0,
    handleSIGTERM: false,
  });
  browser.once('disconnected', () => (worker.browser = undefined));
  // Vitest ends a worker with this signal. Playwright closes the browser when the process exits.
  process.once('SIGTERM', () => process.exit());
  return browser;
}

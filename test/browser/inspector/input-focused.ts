import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until an input has the focus. */
export async function inputFocused(page: Page): Promise<void> {
  // Not waitForFunction: when it polls, it needs `eval`, which the CSP of the page forbids.
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT');
}

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits, as people do, until what is typed goes into an input. */
export async function inputFocused(page: Page): Promise<void> {
  // Not by waitForFunction: where it has to look twice, it needs what the policy of the page forbids.
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT');
}

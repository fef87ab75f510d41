import type { Frame } from 'playwright-core';

interface Page {
  document: { documentElement: { scrollWidth: number; clientWidth: number; style: { fontSize: string } } };
  getComputedStyle(element: unknown): { backgroundColor: string };
}

/** How far a page is wider than what is shown of it. */
export function overflowOf(frame: Frame): Promise<number> {
  return frame.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as unknown as Page).document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Makes all letters twice as large. */
export function enlarge(frame: Frame): Promise<void> {
  return frame.evaluate(() => {
    (globalThis as unknown as Page).document.documentElement.style.fontSize = '200%';
  });
}

/** The colour that a page stands on. */
export function colourOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Page;
    return getComputedStyle(document.documentElement).backgroundColor;
  });
}

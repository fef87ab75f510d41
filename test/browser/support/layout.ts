import type { Frame } from 'playwright-core';

interface Page {
  document: { documentElement: { scrollWidth: number; clientWidth: number; style: { fontSize: string } } };
  getComputedStyle(element: unknown): { backgroundColor: string };
}

/** By how much a page is wider than its frame. */
export function overflowOf(frame: Frame): Promise<number> {
  return frame.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as unknown as Page).document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Doubles the font size. */
export function enlarge(frame: Frame): Promise<void> {
  return frame.evaluate(() => {
    (globalThis as unknown as Page).document.documentElement.style.fontSize = '200%';
  });
}

/** The background colour of a page. */
export function colourOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Page;
    return getComputedStyle(document.documentElement).backgroundColor;
  });
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampScroll, firstVisible, isAtEnd, lastVisible, type Viewport, scrollToRow } from './virtual-rows.tsx';

const viewports = fc.record({
  top: fc.nat(3_000_000),
  height: fc.integer({ min: 1, max: 2000 }),
  rowHeight: fc.constantFrom(24, 28),
  count: fc.integer({ min: 1, max: 100_000 }),
});

function clampViewport(viewport: Viewport): Viewport {
  return { ...viewport, top: clampScroll(viewport) };
}

describe('visible rows', () => {
  it('cover the visible area at every scroll offset, and little more', () => {
    fc.assert(
      fc.property(viewports, (any) => {
        const viewport = clampViewport(any);
        const { top, height, rowHeight, count } = viewport;
        const [first, last] = [firstVisible(viewport), lastVisible(viewport)];
        expect(first * rowHeight).toBeLessThanOrEqual(top);
        expect((last + 1) * rowHeight).toBeGreaterThanOrEqual(Math.min(top + height, count * rowHeight));
        expect(last).toBeLessThan(count);
        expect(last - first).toBeLessThanOrEqual(height / rowHeight + 10);
      }),
    );
  });

  it('include a revealed row, without scrolling if it is visible', () => {
    fc.assert(
      fc.property(viewports, fc.nat(), (any, number) => {
        const viewport = clampViewport(any);
        const row = number % viewport.count;
        fc.pre(viewport.height >= viewport.rowHeight);
        const top = scrollToRow(viewport, row);
        expect(top).toBeLessThanOrEqual(row * viewport.rowHeight);
        expect(top + viewport.height).toBeGreaterThanOrEqual((row + 1) * viewport.rowHeight);
        expect(scrollToRow({ ...viewport, top }, row)).toBe(top);
      }),
    );
  });

  it('are empty before the list is measured', () => {
    const viewport = { top: 0, height: 0, rowHeight: 24, count: 100 };
    expect(lastVisible(viewport) - firstVisible(viewport)).toBe(-1);
  });

  it('show whether the end is reached', () => {
    const viewport = { top: 2300, height: 100, rowHeight: 24, count: 100 };
    expect(isAtEnd(viewport)).toBe(true);
    expect(isAtEnd({ ...viewport, top: 2260 })).toBe(false);
  });
});

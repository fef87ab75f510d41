import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AutoResizer, type AutoResizerOptions, type ViewSize } from './auto-resizer.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

function followed(options: Partial<AutoResizerOptions> = {}) {
  const sizes: ViewSize[] = [];
  const ignored: string[] = [];
  const size = new AutoResizer({
    apply: (each) => sizes.push(each),
    onIgnored: (reason) => ignored.push(reason),
    ...options,
  });
  const ask = (wish: ViewSize): void => {
    size.request(wish);
    vi.advanceTimersByTime(50);
  };
  return { size, sizes, ignored, ask };
}

describe('the size of a view', () => {
  it('is applied immediately, and then throttled to the last one (AH-10)', () => {
    const { size, sizes } = followed();
    size.request({ width: 300, height: 100 });
    for (let height = 101; height < 140; height++) size.request({ height });
    expect(sizes).toEqual([{ width: 300, height: 100 }]);
    vi.advanceTimersByTime(50);
    expect(sizes.slice(1)).toEqual([{ height: 139 }]);
  });

  it('is bounded, and invalid sizes are ignored (AH-10)', () => {
    const { sizes, ask } = followed({ containerSize: () => ({ maxHeight: 600 }) });
    ask({ height: 5000, width: 1e9 });
    ask({ height: -4, width: Number.NaN });
    ask({ height: Number.POSITIVE_INFINITY });
    ask({ height: 99.2 });
    expect(sizes).toEqual([{ height: 600, width: 10_000 }, { height: 0 }, { height: 100 }]);
  });

  it('stays at the larger size while a view oscillates (AH-10)', () => {
    const { sizes, ignored, ask } = followed();
    for (let turn = 0; turn < 50; turn++) ask({ height: turn % 2 === 0 ? 200 : 215 });
    expect(sizes.length).toBeLessThan(8);
    expect(sizes.at(-1)).toEqual({ height: 215 });
    expect(ignored).toEqual(['The height of the view goes to and fro']);

    vi.advanceTimersByTime(1000);
    ask({ height: 300 });
    expect(sizes.at(-1)).toEqual({ height: 300 });
  });

  it('does not grow forever with a page that is always higher than its frame (AH-10)', () => {
    const { sizes, ignored, ask } = followed();
    ask({ height: 100 });
    for (let turn = 0; turn < 500; turn++) ask({ height: (sizes.at(-1)?.height ?? 0) + 16 });
    expect(sizes.at(-1)?.height).toBeLessThanOrEqual(100 + 31 * 16);
    expect(ignored).toHaveLength(1);
    expect(ignored[0]).toContain('100vh');
  });

  it('never exceeds the maximum, whatever a view requests (AH-10)', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ width: fc.double(), height: fc.double() }, { requiredKeys: [] })), (wishes) => {
        const { sizes, ask } = followed({ containerSize: () => ({ maxWidth: 800, maxHeight: 600 }) });
        for (const wish of wishes) ask(wish);
        for (const { width = 0, height = 0 } of sizes) {
          expect(width >= 0 && width <= 800 && height >= 0 && height <= 600).toBe(true);
          expect(Number.isInteger(width) && Number.isInteger(height)).toBe(true);
        }
      }),
    );
  });

  it('is not followed on a side that the host has fixed (AH-10)', () => {
    const { sizes, ask } = followed({ containerSize: () => ({ height: 300 }) });
    ask({ width: 10, height: 10 });
    expect(sizes).toEqual([{ width: 10 }]);
  });

  it('does not change after stop', () => {
    const { size, sizes } = followed();
    size.request({ height: 1 });
    size.request({ height: 2 });
    size.stop();
    vi.advanceTimersByTime(1000);
    expect(sizes).toEqual([{ height: 1 }]);
  });
});

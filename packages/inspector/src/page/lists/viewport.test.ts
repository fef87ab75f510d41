import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clamped, firstInSight, isAtEnd, lastInSight, type Sight, withRow } from './viewport.ts';

const sights = fc.record({
  top: fc.nat(3_000_000),
  room: fc.integer({ min: 1, max: 2000 }),
  height: fc.constantFrom(24, 28),
  count: fc.integer({ min: 1, max: 100_000 }),
});

function within(sight: Sight): Sight {
  return { ...sight, top: clamped(sight) };
}

describe('rows in sight', () => {
  it('are all drawn, and not many more, however far is scrolled', () => {
    fc.assert(
      fc.property(sights, (any) => {
        const sight = within(any);
        const { top, room, height, count } = sight;
        const [first, last] = [firstInSight(sight), lastInSight(sight)];
        expect(first * height).toBeLessThanOrEqual(top);
        expect((last + 1) * height).toBeGreaterThanOrEqual(Math.min(top + room, count * height));
        expect(last).toBeLessThan(count);
        expect(last - first).toBeLessThanOrEqual(room / height + 10);
      }),
    );
  });

  it('have a row that is revealed among them, and do not move where it was', () => {
    fc.assert(
      fc.property(sights, fc.nat(), (any, number) => {
        const sight = within(any);
        const row = number % sight.count;
        fc.pre(sight.room >= sight.height);
        const top = withRow(sight, row);
        expect(top).toBeLessThanOrEqual(row * sight.height);
        expect(top + sight.room).toBeGreaterThanOrEqual((row + 1) * sight.height);
        expect(withRow({ ...sight, top }, row)).toBe(top);
      }),
    );
  });

  it('are none before the place is measured', () => {
    const sight = { top: 0, room: 0, height: 24, count: 100 };
    expect(lastInSight(sight) - firstInSight(sight)).toBe(-1);
  });

  it('are at the end, or not', () => {
    const sight = { top: 2300, room: 100, height: 24, count: 100 };
    expect(isAtEnd(sight)).toBe(true);
    expect(isAtEnd({ ...sight, top: 2260 })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { almanac } from './fixtures/almanac.ts';
import { moonAt } from './moon.ts';
import { type Phase, phases } from './moon.ts';

const day = 24 * 60 * 60 * 1000;
const hour = day / 24;
const newMoons = almanac.filter(({ phase }) => phase === 'new moon');

/** In days. */
const ageTolerance = 0.05;

function shift(date: Date, by: number): Date {
  return new Date(date.getTime() + by);
}

/** The phases of consecutive days. */
function phasesFrom(start: string, days: number): Phase[] {
  return Array.from({ length: days }, (_, index) => moonAt(shift(new Date(start), index * day)).phase);
}

describe('the almanac of these tests', () => {
  it('has all needed years', () => {
    expect(almanac).toHaveLength(164);
    expect(newMoons).toHaveLength(91);
    for (const { date, phase } of almanac) {
      expect(date.getTime()).not.toBeNaN();
      expect(phases).toContain(phase);
    }
  });
});

describe('the age', () => {
  it.each(newMoons)('is 0 at the new moon of $date', ({ date }) => {
    const { age } = moonAt(date);
    const isOver = age > 29;
    expect(age).toBeGreaterThanOrEqual(isOver ? 29.26 - ageTolerance : 0);
    expect(age).toBeLessThan(isOver ? 29.84 + ageTolerance : ageTolerance);
  });

  it.each(newMoons)('is counted from the new moon of $date', ({ date }) => {
    for (const hours of [1, 24, 240, 700]) {
      const { age } = moonAt(shift(date, hours * hour));
      expect(Math.abs(age - hours / 24)).toBeLessThan(ageTolerance);
    }
  });

  const afterNewMoon = almanac.flatMap(({ date, phase }) => {
    const newMoon = newMoons.findLast((earlier) => earlier.date < date);
    if (phase === 'new moon' || newMoon === undefined) return [];
    const age = (date.getTime() - newMoon.date.getTime()) / day;
    return age < 30 ? [{ date, phase, age }] : [];
  });

  it('is known for many of the other phases', () => {
    expect(afterNewMoon.length).toBeGreaterThan(60);
  });

  it.each(afterNewMoon)('is right at the $phase of $date', ({ date, age }) => {
    expect(Math.abs(moonAt(date).age - age)).toBeLessThan(ageTolerance);
  });

  it('wraps once, from a whole month to 0, within seconds of the new moon', () => {
    const published = new Date('2024-04-08T18:21:00Z');
    const ages = Array.from({ length: 600 }, (_, second) => moonAt(shift(published, (second - 300) * 1000)).age);
    const falls = ages.filter((age, index) => age < (ages[index - 1] ?? 0));
    expect(falls).toHaveLength(1);
    expect(ages.every((age) => (age >= 0 && age < 0.01) || (age > 29.2 && age < 29.9))).toBe(true);
  });

  it('is never negative, to the millisecond', () => {
    const newMoon = shift(new Date('2024-04-08T18:25:00Z'), -moonAt(new Date('2024-04-08T18:25:00Z')).age * day);
    for (let offset = -1500; offset <= 1500; offset += 7) {
      const { age } = moonAt(shift(newMoon, offset));
      expect(age >= 0 && (age < 1e-4 || age > 29.2), `${offset} ms: ${age}`).toBe(true);
    }
  });
});

describe('the illumination', () => {
  const expected: Partial<Record<Phase, number>> = {
    'new moon': 0,
    'full moon': 100,
    'first quarter': 50,
    'last quarter': 50,
  };

  it.each(almanac)('is correct to a percent at the $phase of $date', ({ date, phase }) => {
    expect(Math.abs(moonAt(date).illuminated * 100 - (expected[phase] ?? Number.NaN))).toBeLessThanOrEqual(1);
  });

  it('agrees with the example in Meeus, Astronomical Algorithms, chapter 48', () => {
    expect(moonAt(new Date('1992-04-12T00:00:00Z')).illuminated).toBeCloseTo(0.6786, 3);
  });

  it('grows from new moon to full moon and shrinks afterwards', () => {
    const newMoon = new Date('2024-01-11T11:57:00Z');
    const hoursToFull = 342;
    const month = Array.from({ length: 58 }, (_, step) => ({
      hours: (step + 1) * 12,
      ...moonAt(shift(newMoon, (step + 1) * 12 * hour)),
    }));
    const growing = month.filter(({ hours }) => hours < hoursToFull).map(({ illuminated }) => illuminated);
    const shrinking = month.filter(({ hours }) => hours > hoursToFull).map(({ illuminated }) => illuminated);
    expect(growing).toEqual(growing.toSorted((a, b) => a - b));
    expect(shrinking).toEqual(shrinking.toSorted((a, b) => b - a));
    for (const { hours, waxing } of month) expect(waxing).toBe(hours < hoursToFull);
  });
});

describe('the phase', () => {
  it.each(almanac)('is the $phase within twelve hours of $date', ({ date, phase }) => {
    const neighbour = (step: number) => phases.at((phases.indexOf(phase) + step) % phases.length);
    expect(moonAt(date).phase).toBe(phase);
    expect(moonAt(shift(date, -11.9 * hour)).phase).toBe(phase);
    expect(moonAt(shift(date, 11.9 * hour)).phase).toBe(phase);
    expect(moonAt(shift(date, -12.1 * hour)).phase).toBe(neighbour(-1));
    expect(moonAt(shift(date, 12.1 * hour)).phase).toBe(neighbour(1));
  });

  it('has all eight values in order, month after month', () => {
    const seen = phasesFrom('2024-01-11T12:00:00Z', 364).filter((phase, index, all) => phase !== all[index - 1]);
    expect(seen.length).toBeGreaterThan(96);
    for (const [index, phase] of seen.entries()) expect(phase).toBe(phases[index % phases.length]);
  });
});

describe('the distant past and future', () => {
  it.each([0, 1, 1066, 1582, 1800, 2200, 3000, 9999])('has a moon in the year %i', (year) => {
    const start = new Date(0);
    start.setUTCFullYear(year, 0, 1);
    for (let days = 0; days < 60; days += 1) {
      const { age, illuminated } = moonAt(shift(start, days * day));
      expect(age >= 0 && age < 29.9).toBe(true);
      expect(illuminated >= 0 && illuminated <= 1).toBe(true);
    }
  });
});

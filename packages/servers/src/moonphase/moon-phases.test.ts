import { DeltaT_EspenakMeeus } from 'astronomy-engine';
import { describe, expect, it } from 'vitest';
import { elongationAt, instantNear, lastNewMoon, moonAt } from './moon.ts';
import { almanac } from './fixtures/almanac.ts';
import { phaseByMeeus } from './fixtures/mean-phases.ts';
import { usnoPhases } from './fixtures/usno.ts';
import { type Phase, phases } from './moon.ts';

const day = 24 * 60 * 60 * 1000;
/** Published instants are rounded to the minute. */
const rounding = 30;

function elongationOf(phase: Phase): number {
  return phases.indexOf(phase) * 45;
}

/** How late the computed instant is, in seconds. */
function lateness({ date, phase }: { date: Date; phase: Phase }): number {
  return (instantNear(date, elongationOf(phase)).getTime() - date.getTime()) / 1000;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

/** The sun's apparent longitude after Meeus, chapter 25, to a hundredth of a degree. */
function sunByMeeus(days: number): number {
  const sine = (degrees: number): number => Math.sin((degrees * Math.PI) / 180);
  const t = days / 36_525;
  const anomaly = 357.52911 + 35_999.05029 * t;
  const centre =
    (1.914602 - 0.004817 * t) * sine(anomaly) + 0.019993 * sine(2 * anomaly) + 0.000289 * sine(3 * anomaly);
  const seen = 280.46646 + 36_000.76983 * t + centre - 0.00569 - 0.00478 * sine(125.04 - 1934.136 * t);
  return seen - 360 * Math.floor(seen / 360);
}

describe('the instants of the phases', () => {
  const years = [...new Set(usnoPhases.map(({ date }) => date.getUTCFullYear()))];

  it('are published for all of these years', () => {
    expect(years).toEqual([1900, 1920, 1940, 1960, 1980, 2000, 2020, 2040, 2060, 2080, 2100]);
    expect(usnoPhases).toHaveLength(545);
    expect(usnoPhases.every(({ date }) => !Number.isNaN(date.getTime()))).toBe(true);
  });

  it.each(years)('agree with the almanac in %i, to half a minute beside its rounding', (year) => {
    const all = usnoPhases.filter(({ date }) => date.getUTCFullYear() === year).map(lateness);
    expect(Math.max(...all.map(Math.abs))).toBeLessThan(rounding + 12);
    expect(Math.abs(mean(all))).toBeLessThan(10);
  });

  it.each(almanac)('include the $phase of $date', (instant) => {
    expect(Math.abs(lateness(instant))).toBeLessThan(rounding + 15);
  });

  it('are unbiased: neither late nor early on average', () => {
    expect(Math.abs(mean(usnoPhases.map(lateness)))).toBeLessThan(3);
  });

  it('agree with a series that is independent of the positions of sun and moon', () => {
    const distances: number[] = [];
    for (let months = -1236.75; months < 1249; months += 6.25) {
      const { days, elongation } = phaseByMeeus(months);
      // Dynamical time is ahead of universal time; by how much in the future, sources differ.
      const date = new Date(Date.UTC(2000, 0, 1, 12) + days * day - DeltaT_EspenakMeeus(days) * 1000);
      if (date.getUTCFullYear() <= 2050) distances.push(lateness({ date, phase: phases[elongation / 45] as Phase }));
    }
    expect(distances.length).toBeGreaterThan(290);
    expect(Math.max(...distances.map(Math.abs))).toBeLessThan(20);
    expect(Math.abs(mean(distances))).toBeLessThan(4);
  });

  it('are found from any day of the month', () => {
    const newMoon = lastNewMoon(new Date('2024-04-20T00:00Z')).getTime();
    for (let days = 0.01; days < 29.2; days += 0.37) {
      expect(Math.abs(lastNewMoon(new Date(newMoon + days * day)).getTime() - newMoon)).toBeLessThan(50);
    }
    expect(Math.abs(lateness({ date: new Date('2024-04-08T18:21Z'), phase: 'new moon' }))).toBeLessThan(30);
  });
});

describe('the elongation', () => {
  it('agrees with the example in Meeus, chapter 47', () => {
    // 1992-04-12 00:00 dynamical time: the moon's apparent longitude is 133.167265. The sun's is from chapter 25.
    const elongation = elongationAt(new Date(Date.UTC(1992, 3, 12) - 59_000));
    expect(Math.abs(133.167265 - elongation - sunByMeeus(-2820.5))).toBeLessThan(0.004);
  });

  it('is between 0 and 360 degrees', () => {
    for (let days = 0; days < 60; days += 0.31) {
      const elongation = elongationAt(new Date(Date.UTC(1950, 0, 1) + days * day));
      expect(elongation >= 0 && elongation < 360).toBe(true);
    }
  });
});

describe('at the minute of a published new moon', () => {
  const newMoons = [...usnoPhases, ...almanac].filter(({ phase }) => phase === 'new moon');

  it('the age is 0, and the phase is new moon', () => {
    expect(newMoons.length).toBeGreaterThan(220);
    for (const { date } of newMoons) {
      const { age, phase } = moonAt(date);
      expect(`${date.toISOString()} ${age.toFixed(2)} ${phase}`).toBe(`${date.toISOString()} 0.00 new moon`);
    }
  });

  it('two minutes earlier the age is that of the previous month', () => {
    for (const { date } of newMoons) expect(moonAt(new Date(date.getTime() - 2 * 60_000)).age).toBeGreaterThan(29);
  });
});

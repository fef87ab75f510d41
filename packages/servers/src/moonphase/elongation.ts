import { AstroTime, DeltaT_EspenakMeeus, EclipticGeoMoon, SunPosition } from 'astronomy-engine';
import { type Phase, phases } from './phase.ts';

const quarterMs = (29.530588861 / 4) * 24 * 60 * 60 * 1000;

/** The next principal phases after a date. */
export function comingPhases(date: Date, count: number): { phase: Phase; date: Date }[] {
  const elongation = elongationAt(date);
  const first = Math.floor(elongation / 90) + 1;
  const coming: { phase: Phase; date: Date }[] = [];
  let guess = date.getTime() + (first - elongation / 90) * quarterMs;
  for (let each = first; each < first + count; each++) {
    const instant = instantNear(new Date(guess), (each % 4) * 90);
    coming.push({ phase: phases[(each % 4) * 2] as Phase, date: instant });
    guess = instant.getTime() + quarterMs;
  }
  return coming;
}

const day = 24 * 60 * 60 * 1000;
/** The noon from which astronomers count days: that of the first day of 2000. */
const epoch = Date.UTC(2000, 0, 1, 12);
/** How far the moon gets ahead of the sun in a day, in degrees, on average. */
const meanSpeed = 360 / 29.530588861;
/** Degrees that the moon goes in some milliseconds. */
const exact = 1e-6;

/**
 * How far the moon is ahead of the sun in ecliptic longitude, from 0 to 360 degrees, as both are seen from the centre of
 * the earth: the light of the sun is eight minutes old, which makes every new moon some forty seconds earlier.
 */
export function elongationAt(date: Date): number {
  const time = AstroTime.FromTerrestrialTime(daysFromEpoch(date) + deltaT(date) / 86_400);
  const elongation = EclipticGeoMoon(time).lon - SunPosition(time).elon;
  return elongation - 360 * Math.floor(elongation / 360);
}

/** The instant near a date, before or after, at which the moon is so many degrees ahead of the sun. */
export function instantNear(date: Date, elongation: number): Date {
  let time = date.getTime();
  for (let round = 0; round < 50; round++) {
    const missing = signed(elongation - elongationAt(new Date(time)));
    time += (missing / meanSpeed) * day;
    if (Math.abs(missing) < exact) break;
  }
  return new Date(time);
}

/** The last new moon before a date. */
export function lastNewMoon(date: Date): Date {
  const since = elongationAt(date) / meanSpeed;
  return instantNear(new Date(date.getTime() - since * day), 0);
}

/**
 * How many seconds the clock of the stars is ahead of ours, because the earth turns ever more slowly: as observed, and from
 * now on as almanacs expect it. Those of the US Naval Observatory expect less in the second half of this century than the
 * parabola that fits the last three thousand years, by which NASA's catalogues go.
 */
function deltaT(date: Date): number {
  const year = date.getUTCFullYear() + date.getUTCMonth() / 12;
  if (year > 2050 && year <= 2100) return 93 + (year - 2050) / 2;
  if (year > 2100 && year < 2150) return 118 + (year - 2100) * 4.2;
  return DeltaT_EspenakMeeus(daysFromEpoch(date));
}

function daysFromEpoch(date: Date): number {
  return (date.getTime() - epoch) / day;
}

/** The same angle between -180 and 180 degrees. */
function signed(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

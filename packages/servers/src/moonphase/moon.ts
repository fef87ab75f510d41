import { AstroTime, Body, DeltaT_EspenakMeeus, EclipticGeoMoon, Illumination, SunPosition } from 'astronomy-engine';

/** The moon at an instant, as seen from the centre of the earth. */
export interface Moon {
  /** Days since the last new moon. */
  readonly age: number;
  /** The lit part of the disc, from 0 to 1. */
  readonly illuminated: number;
  readonly waxing: boolean;
  readonly phase: Phase;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Almanacs round instants to the minute: in the minute of a new moon the age is 0. */
const almanacMinute = 60 * 1000;
/** How many days before and after their instant the new moon, full moon and quarters are reported. */
const instantWindow = 0.5;

/** Computes the moon: within half a minute of the almanac from 1900 to 2100, less accurate in other years. */
export function moonAt(date: Date): Moon {
  const elongation = elongationAt(date);
  return {
    age: ageAt(date),
    illuminated: Illumination(Body.Moon, date).phase_fraction,
    waxing: elongation < 180,
    phase: phaseAt(date, elongation),
  };
}

/** The moon's speed varies, so its age does not follow from its elongation: the last new moon must be found. */
function ageAt(date: Date): number {
  const newMoon = lastNewMoon(new Date(date.getTime() + almanacMinute));
  return Math.max(0, date.getTime() - newMoon.getTime()) / dayMs;
}

function phaseAt(date: Date, elongation: number): Phase {
  const nearest = Math.round(elongation / 90) % 4;
  const away = Math.abs(instantNear(date, nearest * 90).getTime() - date.getTime()) / dayMs;
  const index = away <= instantWindow ? nearest * 2 : Math.floor(elongation / 90) * 2 + 1;
  return phases[index] as Phase;
}

/** The mean length of a month, in days. */
const synodicMonth = 29.530588861;
const quarterMs = (synodicMonth / 4) * 24 * 60 * 60 * 1000;

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

/** The astronomical epoch J2000: noon of 1 January 2000. */
const epoch = Date.UTC(2000, 0, 1, 12);
/** The mean change of the elongation, in degrees per day. */
const meanSpeed = 360 / synodicMonth;
/** The precision of a search, in degrees: some milliseconds. */
const precision = 1e-6;

/**
 * The elongation: how far the moon is ahead of the sun in ecliptic longitude, from 0 to 360 degrees. Both positions are
 * apparent; the light of the sun is eight minutes old, which makes a new moon about forty seconds earlier.
 */
export function elongationAt(date: Date): number {
  const time = AstroTime.FromTerrestrialTime(daysFromEpoch(date) + deltaT(date) / 86_400);
  const elongation = EclipticGeoMoon(time).lon - SunPosition(time).elon;
  return elongation - 360 * Math.floor(elongation / 360);
}

/** The instant of an elongation nearest to a date, before or after. */
export function instantNear(date: Date, elongation: number): Date {
  let time = date.getTime();
  for (let round = 0; round < 50; round++) {
    const missing = normalizeAngle(elongation - elongationAt(new Date(time)));
    time += (missing / meanSpeed) * dayMs;
    if (Math.abs(missing) < precision) break;
  }
  return new Date(time);
}

/** The last new moon before a date. */
export function lastNewMoon(date: Date): Date {
  const since = elongationAt(date) / meanSpeed;
  return instantNear(new Date(date.getTime() - since * dayMs), 0);
}

/**
 * Delta T, terrestrial time minus universal time, in seconds: as observed, and as predicted for the future. The US Naval
 * Observatory predicts less for the second half of this century than the parabola of the NASA catalogues.
 */
function deltaT(date: Date): number {
  const year = date.getUTCFullYear() + date.getUTCMonth() / 12;
  if (year > 2050 && year <= 2100) return 93 + (year - 2050) / 2;
  if (year > 2100 && year < 2150) return 118 + (year - 2100) * 4.2;
  return DeltaT_EspenakMeeus(daysFromEpoch(date));
}

function daysFromEpoch(date: Date): number {
  return (date.getTime() - epoch) / dayMs;
}

/** Normalizes an angle to -180 to 180 degrees. */
function normalizeAngle(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

/** The phases of the moon, in order. */
export const phases = [
  'new moon',
  'waxing crescent',
  'first quarter',
  'waxing gibbous',
  'full moon',
  'waning gibbous',
  'last quarter',
  'waning crescent',
] as const;

export type Phase = (typeof phases)[number];

import { Body, Illumination, MoonPhase, SearchMoonPhase } from 'astronomy-engine';
import { type Phase, phases } from './phase.ts';

/** The moon at an instant, as seen from the centre of the earth. */
export interface Moon {
  /** Days since the last new moon. */
  readonly age: number;
  /** The lit part of the disc, from 0 to 1. */
  readonly illuminated: number;
  readonly waxing: boolean;
  readonly phase: Phase;
}

const day = 24 * 60 * 60 * 1000;
/** No month, from new moon to new moon, is longer; in days. */
const longestMonth = 31;
/** New moon, full moon and the quarters are instants; their names are given to so many days before and after. */
const instantWindow = 0.5;

/** Works out the moon: to about a minute of the almanac from 1900 to 2100, and less well far from now. */
export function moonAt(date: Date): Moon {
  const elongation = MoonPhase(date);
  return {
    age: ageAt(date),
    illuminated: Illumination(Body.Moon, date).phase_fraction,
    waxing: elongation < 180,
    phase: phaseAt(date, elongation),
  };
}

/** The moon's speed changes, so its age can't be told from how far it has come: the last new moon must be found. */
function ageAt(date: Date): number {
  const newMoon = SearchMoonPhase(0, date, -longestMonth);
  if (newMoon === null) throw new Error(`No new moon was found before ${date.toISOString()}`);
  // The search promises a second, so what it finds for an instant of new moon may lie just after it.
  return Math.max(0, date.getTime() - newMoon.date.getTime()) / day;
}

function phaseAt(date: Date, elongation: number): Phase {
  const nearest = Math.round(elongation / 90) % 4;
  const from = new Date(date.getTime() - instantWindow * day);
  const isNear = SearchMoonPhase(nearest * 90, from, 2 * instantWindow) !== null;
  const index = isNear ? nearest * 2 : Math.floor(elongation / 90) * 2 + 1;
  return phases[index] as Phase;
}

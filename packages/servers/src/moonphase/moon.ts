import { Body, Illumination } from 'astronomy-engine';
import { elongationAt, instantNear, lastNewMoon } from './elongation.ts';
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
/** Almanacs tell an instant to the minute: at the minute of a new moon the age is none, also some seconds before. */
const almanacMinute = 60 * 1000;
/** New moon, full moon and the quarters are instants; their names are given to so many days before and after. */
const instantWindow = 0.5;

/** Works out the moon: to half a minute of the almanac from 1900 to 2100, and less well far from now. */
export function moonAt(date: Date): Moon {
  const elongation = elongationAt(date);
  return {
    age: ageAt(date),
    illuminated: Illumination(Body.Moon, date).phase_fraction,
    waxing: elongation < 180,
    phase: phaseAt(date, elongation),
  };
}

/** The moon's speed changes, so its age can't be told from how far it has come: the last new moon must be found. */
function ageAt(date: Date): number {
  const newMoon = lastNewMoon(new Date(date.getTime() + almanacMinute));
  return Math.max(0, date.getTime() - newMoon.getTime()) / day;
}

function phaseAt(date: Date, elongation: number): Phase {
  const nearest = Math.round(elongation / 90) % 4;
  const away = Math.abs(instantNear(date, nearest * 90).getTime() - date.getTime()) / day;
  const index = away <= instantWindow ? nearest * 2 : Math.floor(elongation / 90) * 2 + 1;
  return phases[index] as Phase;
}

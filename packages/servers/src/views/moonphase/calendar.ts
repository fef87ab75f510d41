/** A month as a calendar has it; January is 1. */
export interface Month {
  readonly year: number;
  readonly month: number;
}

/** An instant as a clock shows it somewhere. */
export interface ClockTime extends Month {
  readonly day: number;
  /** Since midnight, by that clock. */
  readonly milliseconds: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What the calendar and the clock of a time zone show at an instant. */
export function clockAt(instant: number, timeZone: string): ClockTime {
  const shown = new Date(instant + offsetAt(instant, timeZone));
  const milliseconds = ((shown.getTime() % dayMs) + dayMs) % dayMs;
  return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate(), milliseconds };
}

/** The instants at which the clock shows the same time on each day of a month. */
export function daysOf({ year, month }: Month, milliseconds: number, timeZone: string): number[] {
  const count = new Date(utc(year, month + 1, 1) - dayMs).getUTCDate();
  return Array.from({ length: count }, (_, index) => {
    const shown = utc(year, month, index + 1) + milliseconds;
    const first = shown - offsetAt(shown, timeZone);
    return shown - offsetAt(first, timeZone);
  });
}

/** The month so many months later. */
export function monthAfter({ year, month }: Month, count: number): Month {
  const months = year * 12 + month - 1 + count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

function offsetAt(instant: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'narrow',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const written = format.formatToParts(instant);
  const parts = Object.fromEntries(written.map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  // The year before the year 1 is 1 too, of the era before.
  const isBefore = written.some(({ type, value }) => type === 'era' && value === 'B');
  const shown = utc(isBefore ? 1 - year : year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  return shown - Math.floor(instant / 1000) * 1000;
}

/** Not `Date.UTC`, to which the year 99 is 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

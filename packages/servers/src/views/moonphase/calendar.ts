/** A calendar month; January is 1. */
export interface Month {
  readonly year: number;
  readonly month: number;
}

/** An instant in local time. */
export interface ClockTime extends Month {
  readonly day: number;
  /** Since midnight. */
  readonly milliseconds: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Converts an instant to the local time of a time zone. */
export function clockAt(instant: number, timeZone: string): ClockTime {
  const shown = new Date(instant + offsetAt(instant, timeZone));
  const milliseconds = ((shown.getTime() % dayMs) + dayMs) % dayMs;
  return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate(), milliseconds };
}

/** The instants of the same local time on each day of a month. */
export function daysOf({ year, month }: Month, milliseconds: number, timeZone: string): number[] {
  const count = new Date(utc(year, month + 1, 1) - dayMs).getUTCDate();
  return Array.from({ length: count }, (_, index) => {
    const shown = utc(year, month, index + 1) + milliseconds;
    const first = shown - offsetAt(shown, timeZone);
    return shown - offsetAt(first, timeZone);
  });
}

/** Adds months to a month. */
export function addMonths({ year, month }: Month, count: number): Month {
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
  // Year 1 BC is year 0.
  const isBefore = written.some(({ type, value }) => type === 'era' && value === 'B');
  const shown = utc(isBefore ? 1 - year : year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  return shown - Math.floor(instant / 1000) * 1000;
}

/** Not `Date.UTC`, to which the year 99 is 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

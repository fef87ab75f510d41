import { ToolError } from '@ccmcp/core';

const calendarDay = String.raw`(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)`;
const clockTime = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?`;
const zone = String.raw`Z|(?<sign>[+-])(?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?`;
const form = new RegExp(`^${calendarDay}(?:[T ]${clockTime}(?:${zone})?)?$`, 'i');

/** The last supported year. */
export const lastYear = 9999;

/** The accepted formats, for descriptions and errors. */
export const acceptedForms =
  'ISO 8601: YYYY-MM-DD (midnight), or YYYY-MM-DDThh:mm, if need be with seconds (:ss or :ss.sss), ' +
  'and with a zone (Z or ±hh:mm); UTC where there is no zone';

/** Parses a date with or without time and zone. Throws a ToolError that names the problem. */
export function parseDatetime(text: string): Date {
  const fields = form.exec(text)?.groups;
  if (fields === undefined) throw invalidDatetime(text, 'it is not in a form that is known');

  const read = (name: string, [from, to]: readonly [number, number], label = `the ${name}`): number => {
    const value = Number(fields[name] ?? from);
    if (value < from || value > to) throw invalidDatetime(text, `${label} must be from ${from} to ${to}, not ${value}`);
    return value;
  };
  const year = Number(fields.year);
  const month = read('month', [1, 12]);
  const day = read('day', [1, daysIn(year, month)], `the day in month ${month} of ${fields.year}`);
  const hour = read('hour', [0, 23]);
  const minute = read('minute', [0, 59]);
  const second = read('second', [0, 59]);
  const zoneHour = read('zoneHour', [0, 23], 'the hour of the zone');
  const zoneMinute = read('zoneMinute', [0, 59], 'the minute of the zone');

  const offset = (zoneHour * 60 + zoneMinute) * (fields.sign === '-' ? -1 : 1);
  const milliseconds = Number((fields.fraction ?? '').slice(0, 3).padEnd(3, '0'));
  // Date.UTC would take the year 99 for 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second, milliseconds);
  if (date.getUTCFullYear() < 0 || date.getUTCFullYear() > lastYear) {
    throw invalidDatetime(text, `in UTC it is before the year 0000 or after the year ${lastYear}`);
  }
  return date;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function invalidDatetime(text: string, problem: string): ToolError {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new ToolError(`The datetime ${JSON.stringify(shown)} can't be read: ${problem}. Use ${acceptedForms}.`);
}

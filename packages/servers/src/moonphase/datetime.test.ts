import { ToolError } from '@ccmcp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDatetime } from './datetime.ts';

describe('a datetime', () => {
  it.each([
    ['2024-04-08', '2024-04-08T00:00:00.000Z'],
    ['2024-04-08T18:21', '2024-04-08T18:21:00.000Z'],
    ['2024-04-08 18:21', '2024-04-08T18:21:00.000Z'],
    ['2024-04-08T18:21:07', '2024-04-08T18:21:07.000Z'],
    ['2024-04-08T18:21:07.5', '2024-04-08T18:21:07.500Z'],
    ['2024-04-08T18:21:07,123456789Z', '2024-04-08T18:21:07.123Z'],
    ['2024-04-08T18:21:59.9999Z', '2024-04-08T18:21:59.999Z'],
    ['2024-04-08T18:21Z', '2024-04-08T18:21:00.000Z'],
    ['2024-04-08t18:21z', '2024-04-08T18:21:00.000Z'],
    ['2024-04-08T18:21+02:00', '2024-04-08T16:21:00.000Z'],
    ['2024-04-08T18:21-05:30', '2024-04-08T23:51:00.000Z'],
    ['2024-04-08T18:21+0545', '2024-04-08T12:36:00.000Z'],
    ['2024-04-08T18:21-10', '2024-04-09T04:21:00.000Z'],
    ['2024-12-31T23:30-01:00', '2025-01-01T00:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0099-03-01', '0099-03-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseDatetime(text).toISOString()).toBe(instant);
  });

  it.each([
    ['2024-02-30', 'the day in month 2 of 2024 must be from 1 to 29, not 30'],
    ['2023-02-29', 'the day in month 2 of 2023 must be from 1 to 28, not 29'],
    ['1900-02-29', 'the day in month 2 of 1900 must be from 1 to 28'],
    ['0001-02-29', 'the day in month 2 of 0001 must be from 1 to 28'],
    ['2024-04-31', 'the day in month 4 of 2024 must be from 1 to 30'],
    ['2024-04-00', 'the day in month 4 of 2024 must be from 1 to 30, not 0'],
    ['2024-13-01', 'the month must be from 1 to 12, not 13'],
    ['2024-00-01', 'the month must be from 1 to 12'],
    ['2024-04-08T25:00', 'the hour must be from 0 to 23, not 25'],
    ['2024-04-08T24:00', 'the hour must be from 0 to 23'],
    ['2024-04-08T18:60', 'the minute must be from 0 to 59'],
    ['2024-04-08T18:21:60', 'the second must be from 0 to 59'],
    ['2024-04-08T18:21+24:00', 'the hour of the zone must be from 0 to 23'],
    ['2024-04-08T18:21+01:60', 'the minute of the zone must be from 0 to 59'],
    ['0000-01-01T00:00+00:01', 'in UTC it is before the year 0000'],
    ['9999-12-31T23:59-00:01', 'or after the year 9999'],
    ['tomorrow', 'not in a form that is known'],
    ['2024', 'not in a form that is known'],
    ['2024-04', 'not in a form that is known'],
    ['2024-4-8', 'not in a form that is known'],
    ['08/04/2024', 'not in a form that is known'],
    ['20240408T182100Z', 'not in a form that is known'],
    ['2024-04-08Z', 'not in a form that is known'],
    ['2024-04-08T18', 'not in a form that is known'],
    ['2024-04-08T18:21 CET', 'not in a form that is known'],
    ['+002024-04-08', 'not in a form that is known'],
    ['1712600460', 'not in a form that is known'],
    ['٢٠٢٤-٠٤-٠٨', 'not in a form that is known'],
    ['2024-04-08\n', 'not in a form that is known'],
  ])('%j is rejected, with the reason and what is accepted', (text, reason) => {
    expect(() => parseDatetime(text)).toThrow(ToolError);
    expect(() => parseDatetime(text)).toThrow(reason);
    expect(() => parseDatetime(text)).toThrow('Use ISO 8601: YYYY-MM-DD');
  });

  it('is truncated only if it is long', () => {
    expect(() => parseDatetime('x'.repeat(100_000))).toThrow(/^The datetime "x{60}…" can't be read/);
  });

  it('is parsed as written, at any instant', () => {
    const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(parseDatetime(date.toISOString())).toEqual(date);
      }),
    );
  });
});

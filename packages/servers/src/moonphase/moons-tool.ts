import { type Tool, text, tool } from '@ccmcp/core';
import { acceptedForms, lastYear, parseDatetime } from './datetime.ts';
import { phases } from './phase.ts';
import { limits } from '../limits.ts';

const phase = { type: 'string', enum: phases } as const;
const datetime = { type: 'string', format: 'date-time' } as const;

/** The tool by which the view gets a month at once: the moon at several times, and the phases to come. */
export function moonsTool(): Tool {
  return tool(
    'moonphases',
    {
      title: 'Moon phases',
      description: 'Tell the moon at each of several times, and the next eight phases from the first of them on.',
      visibility: ['app'],
      input: {
        type: 'object',
        properties: {
          datetimes: {
            type: 'array',
            items: { type: 'string', description: acceptedForms },
            minItems: 1,
            maxItems: limits.moonphase.times.value,
          },
        },
        required: ['datetimes'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: {
          moons: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                datetime,
                age_days: { type: 'number' },
                illuminated: { type: 'number', description: 'The lit part of the disc, from 0 to 1' },
                waxing: { type: 'boolean' },
                phase,
              },
              required: ['datetime', 'age_days', 'illuminated', 'waxing', 'phase'],
            },
          },
          next: {
            type: 'array',
            items: { type: 'object', properties: { datetime, phase }, required: ['datetime', 'phase'] },
          },
        },
        required: ['moons', 'next'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ datetimes }) => {
      const dates = datetimes.map(parseDatetime);
      const [{ moonAt }, { comingPhases }] = await Promise.all([import('./moon.ts'), import('./elongation.ts')]);
      const moons = dates.map((date) => {
        const moon = moonAt(date);
        return {
          datetime: date.toISOString(),
          age_days: Number(moon.age.toFixed(2)),
          illuminated: Number(moon.illuminated.toFixed(4)),
          waxing: moon.waxing,
          phase: moon.phase,
        };
      });
      const next = comingPhases(dates[0] as Date, 8)
        .filter(({ date }) => date.getUTCFullYear() <= lastYear)
        .map(({ date, phase }) => ({ datetime: date.toISOString(), phase }));
      const told = moons.map(({ datetime: at, phase: name, illuminated }) => {
        return `${at}: ${name}, ${Math.round(illuminated * 100)} %`;
      });
      return { content: [text(told.join('\n'))], structuredContent: { moons, next } };
    },
  );
}

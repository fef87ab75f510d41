import { image, text, type Tool, tool } from '@ccmcp/core';
import { type AppView, appView } from '@ccmcp/core/apps';
import { acceptedForms, lastYear, parseDatetime } from './datetime.ts';
import { phases } from './moon.ts';

/** The tool for the moon's age, illumination and phase, with a picture. */
export function moonphaseTool({ picture: pictureByDefault }: { picture: boolean }): Tool {
  return tool(
    'moonphase',
    {
      title: 'Moon phase',
      description:
        "Tell the moon's age in days since the new moon, its illumination in percent and the name of its phase, " +
        'now or at any date and time (accurate from 1900 to 2100), with a picture. ' +
        'New moon, full moon and the quarters are named so for 12 hours before and after their instant.',
      input: {
        type: 'object',
        properties: {
          datetime: { type: 'string', description: `${acceptedForms}. Empty or absent: now.` },
          picture: { type: 'boolean', default: pictureByDefault, description: 'Whether to add a picture of the moon' },
        },
      },
      output: {
        type: 'object',
        properties: {
          datetime: { type: 'string', format: 'date-time', description: 'The instant this is about, in UTC' },
          age_days: { type: 'number', minimum: 0, description: 'Days since the last new moon' },
          illumination_percent: { type: 'integer', minimum: 0, maximum: 100, description: 'The lit part of the disc' },
          phase: { type: 'string', enum: phases },
        },
        required: ['datetime', 'age_days', 'illumination_percent', 'phase'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      ui: moonView,
    },
    async ({ datetime = '', picture = pictureByDefault }) => {
      const given = datetime.trim();
      const date = given === '' ? new Date() : parseDatetime(given);
      const { moonAt } = await import('./moon.ts');
      const moon = moonAt(date);
      const facts = {
        datetime: date.toISOString(),
        age_days: Number(moon.age.toFixed(2)),
        illumination_percent: Math.round(moon.illuminated * 100),
        phase: moon.phase,
      };
      const lines = [
        `Time: ${facts.datetime}`,
        `Age: ${facts.age_days.toFixed(2)} days`,
        `Illumination: ${facts.illumination_percent} %`,
        `Phase: ${facts.phase}`,
      ];
      const content = [text(lines.join('\n'))];
      if (!picture) return { content, structuredContent: facts };

      const { moonPicture } = await import('./picture.ts');
      return { content: [...content, image(moonPicture(moon), 'image/png')], structuredContent: facts };
    },
  );
}

/** The view of the moon, with a slider through the month. Loaded when a host shows it. */
const moonView: AppView = appView('ui://moonphase/view.html', {
  html: async () => (await import('../views/moonphase/view.html')).default,
  name: 'moonphase-view',
  title: 'Moon phase',
  listed: false,
  prefersBorder: false,
});

const phase = { type: 'string', enum: phases } as const;
const datetime = { type: 'string', format: 'date-time' } as const;

/** The tool for the view: the moon at several times, and the next phases. */
export function moonphasesTool(): Tool {
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
            maxItems: 62,
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
      const [{ moonAt }, { comingPhases }] = await Promise.all([import('./moon.ts'), import('./moon.ts')]);
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
      const lines = moons.map(({ datetime: at, phase: name, illuminated }) => {
        return `${at}: ${name}, ${Math.round(illuminated * 100)} %`;
      });
      return { content: [text(lines.join('\n'))], structuredContent: { moons, next } };
    },
  );
}

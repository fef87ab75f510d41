import { image, type Tool, text, tool } from '@ccmcp/core';
import { acceptedForms, parseDatetime } from './datetime.ts';
import { phases } from './phase.ts';
import { type AppView, appView } from '@ccmcp/core/apps';

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
      const told = [
        `Time: ${facts.datetime}`,
        `Age: ${facts.age_days.toFixed(2)} days`,
        `Illumination: ${facts.illumination_percent} %`,
        `Phase: ${facts.phase}`,
      ];
      const content = [text(told.join('\n'))];
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

import { type AppView, appView } from '@ccmcp/core/apps';

/** The moon, drawn, with a slider through the month. Nobody needs it before a host shows it. */
export const moonView: AppView = appView('ui://moonphase/view.html', {
  html: async () => (await import('../views/moonphase/view.html')).default,
  name: 'moonphase-view',
  title: 'Moon phase',
  listed: false,
  prefersBorder: false,
});

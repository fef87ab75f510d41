import { type AppView, appView } from '@ccmcp/core/apps';

/** The notes: a list with search, to be read, written and deleted. Nobody needs it before a host shows it. */
export const notesView: AppView = appView('ui://notes/view.html', {
  html: async () => (await import('../views/notes/view.html')).default,
  name: 'notes-view',
  title: 'Notes',
  listed: false,
  prefersBorder: true,
});

import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo, type Place } from '../model/route.ts';
import { set } from '../model/settings.ts';
import { shownName } from '../model/display-name.ts';
import { showRecording } from '../model/store.ts';
import type { World } from '../model/app-state.ts';
import { searchable } from '../lists/search.ts';
import { edit } from '../replay/replay.ts';
import { floating } from './dialog.tsx';

/** Something that can be done by its name. */
export interface Action {
  readonly text: string;
  readonly about: string;
  readonly search: string;
  readonly key?: string | undefined;
  /** Whether it does something, instead of going somewhere. */
  readonly isAction?: boolean;
  run(): void;
}

/** What can be done now, apart from going to an entry. */
export function actionsOf(world: World, here: Place): readonly Action[] {
  return openedRecording.value === undefined
    ? [...always(), ...liveActions(world, here)]
    : [action('Back to now', '', () => showRecording(undefined, undefined)), ...always()];
}

function always(): readonly Action[] {
  return [
    action('Saved requests and recordings', '', () => goTo({ server: '~', section: 'server' })),
    action('Compare two sessions', '', () => goTo({ server: '~', section: 'compare' })),
    action('Timeline in the whole window', 't', () => set({ timelineIs: 'full' })),
    action('Timeline below', '', () => set({ timelineIs: 'strip' })),
    action('Close the timeline', '', () => set({ timelineIs: 'closed' })),
    action('Light colours', '', () => set({ theme: 'light' })),
    action('Dark colours', '', () => set({ theme: 'dark' })),
    action('Colours of the system', '', () => set({ theme: 'system' })),
    action('All keys', '?', () => (floating.value = 'keys')),
  ];
}

function liveActions(world: World, { server }: Place): readonly Action[] {
  const connection = [...world.connections.values()].find(({ label }) => label === server);
  const actions = [
    action('Add a server', '', () => goTo({ server: '+', section: 'server' })),
    ...(world.recording?.state === 'on'
      ? [action('Stop recording', '', () => void ask('record-stop', {}))]
      : [action('Record everything', '', () => void ask('record', {}))]),
  ];
  if (connection !== undefined) {
    const { id, label } = connection;
    const name = shownName(connection, world.connections.values());
    actions.push(
      action(`Examine ${name}`, '', () => {
        goTo({ server: label, section: 'server' });
        void ask('doctor', { connection: id });
      }),
      action(`Connect ${name} again`, '', () => void ask('reconnect', { connection: id })),
      action(`Disconnect ${name}`, '', () => void ask('disconnect', { connection: id })),
      action(`Ping ${name}`, '', () => void ask('call', { connection: id, method: 'ping' })),
    );
  }
  for (const { id, label } of world.targets)
    actions.push(action(`Connect ${label}`, '', () => void ask('connect', { target: id })));
  for (const { name, method, params } of world.collection?.requests ?? []) {
    if (connection !== undefined)
      actions.push(action(`Saved: ${name}`, '', () => void edit(connection.label, method, params)));
  }
  return actions;
}

function action(text: string, key: string, run: () => void): Action {
  return {
    text,
    about: 'action',
    search: searchable(text, 'action', ''),
    key: key === '' ? undefined : key,
    isAction: true,
    run,
  };
}

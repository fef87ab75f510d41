import { request } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { navigate, type Route } from '../model/route.ts';
import { changeSettings } from '../model/settings.ts';
import { displayName } from '../model/display-name.ts';
import { showRecording } from '../model/store.ts';
import type { AppState } from '../model/app-state.ts';
import { toSearchText } from '../lists/search.ts';
import { editRequest } from '../replay/replay.ts';
import { openDialog } from './dialog.tsx';

/** An action of the command palette. */
export interface Action {
  readonly text: string;
  readonly about: string;
  readonly search: string;
  readonly key?: string | undefined;
  /** Whether it acts instead of navigating. */
  readonly isAction?: boolean;
  run(): void;
}

/** Actions available now, apart from navigation to entries. */
export function buildActions(appState: AppState, here: Route): readonly Action[] {
  return openedRecording.value === undefined
    ? [...globalActions(), ...liveActions(appState, here)]
    : [createAction('Back to live', '', () => showRecording(undefined, undefined)), ...globalActions()];
}

function globalActions(): readonly Action[] {
  return [
    createAction('Saved requests and recordings', '', () => navigate({ server: '~', section: 'server' })),
    createAction('Compare two sessions', '', () => navigate({ server: '~', section: 'compare' })),
    createAction('Maximize the timeline', 't', () => changeSettings({ timelineIs: 'full' })),
    createAction('Dock the timeline', '', () => changeSettings({ timelineIs: 'strip' })),
    createAction('Close the timeline', '', () => changeSettings({ timelineIs: 'closed' })),
    createAction('Light theme', '', () => changeSettings({ theme: 'light' })),
    createAction('Dark theme', '', () => changeSettings({ theme: 'dark' })),
    createAction('System theme', '', () => changeSettings({ theme: 'system' })),
    createAction('All keys', '?', () => (openDialog.value = 'keys')),
  ];
}

function liveActions(appState: AppState, { server }: Route): readonly Action[] {
  const connection = [...appState.connections.values()].find(({ label }) => label === server);
  const actions = [
    createAction('Add a server', '', () => navigate({ server: '+', section: 'server' })),
    ...(appState.recording?.state === 'on'
      ? [createAction('Stop recording', '', () => void request('record-stop', {}))]
      : [createAction('Record everything', '', () => void request('record', {}))]),
  ];
  if (connection !== undefined) {
    const { id, label } = connection;
    const name = displayName(connection, appState.connections.values());
    actions.push(
      createAction(`Diagnose ${name}`, '', () => {
        navigate({ server: label, section: 'server' });
        void request('doctor', { connection: id });
      }),
      createAction(`Reconnect ${name}`, '', () => void request('reconnect', { connection: id })),
      createAction(`Disconnect ${name}`, '', () => void request('disconnect', { connection: id })),
      createAction(`Ping ${name}`, '', () => void request('call', { connection: id, method: 'ping' })),
    );
  }
  for (const { id, label } of appState.targets)
    actions.push(createAction(`Connect ${label}`, '', () => void request('connect', { target: id })));
  for (const { name, method, params } of appState.collection?.requests ?? []) {
    if (connection !== undefined)
      actions.push(createAction(`Saved: ${name}`, '', () => void editRequest(connection.label, method, params)));
  }
  return actions;
}

function createAction(text: string, key: string, run: () => void): Action {
  return {
    text,
    about: 'action',
    search: toSearchText(text, 'action', ''),
    key: key === '' ? undefined : key,
    isAction: true,
    run,
  };
}

import { useMemo, useState } from 'preact/hooks';
import { listKinds } from '../../shared/lists.ts';
import { focusDetail } from '../components/focus.ts';
import { setFilter } from '../lists/filters.ts';
import { request } from '../model/api.ts';
import type { AppState } from '../model/app-state.ts';
import { displayName } from '../model/display-name.ts';
import { search, toSearchText, useEntries } from '../model/entries.ts';
import { editRequest } from '../model/replay.ts';
import { navigate, openedRecording, route, type Route } from '../model/route.ts';
import { firstSection, selectedConnection } from '../model/selectors.ts';
import { changeSettings } from '../model/settings.ts';
import { showRecording, useAppState } from '../model/store.ts';
import { Dialog, openDialog } from './dialog.tsx';

const maxResults = 100;

/** Command palette: servers, tools, resources, prompts, actions. */
export function Palette() {
  const appState = useAppState('connections', 'lists', 'work');
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const chosen = selectedConnection(appState);
  // The selected connection comes first.
  const connections = [...appState.connections.values()].sort(
    (one, other) => Number(other === chosen) - Number(one === chosen),
  );
  const lists = connections.flatMap(({ id }) => listKinds.map((kind) => useEntries(id, kind)));
  const all = useMemo(() => {
    const entries = lists.flatMap((list, index) => {
      const connection = connections[Math.floor(index / listKinds.length)];
      const where =
        connection === undefined || connection === chosen ? '' : ` of ${displayName(connection, connections)}`;
      return (list ?? []).map(
        (entry): Action => ({
          text: entry.id,
          about: `${entry.title === '' ? '' : `${entry.title} · `}${entry.kind.slice(0, -1)}${where}`,
          search: entry.search,
          run: () => {
            // A filter could hide the entry.
            if (connection !== undefined) setFilter(connection.id, entry.kind, '');
            navigate({ server: connection?.label, section: entry.kind, name: entry.id });
            focusDetail();
          },
        }),
      );
    });
    const servers = [...appState.connections.values()].map((connection): Action => {
      const name = displayName(connection, appState.connections.values());
      return {
        text: name,
        about: name === connection.detail ? 'server' : `${connection.detail} · server`,
        search: toSearchText(name, 'server', connection.detail),
        run: () => navigate({ server: connection.label, section: firstSection(connection) }),
      };
    });
    return [...servers, ...buildActions(appState, route.value), ...entries];
  }, [...lists, appState.connections.size, chosen?.id]);
  const found = useMemo(() => search(all, query).slice(0, maxResults), [all, query]);
  const run = (action: Action | undefined) => {
    if (action === undefined) return;
    openDialog.value = undefined;
    action.run();
  };
  return (
    <Dialog label="Command palette">
      <input
        class="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at}`}
        aria-label="Server, tool, resource, prompt or action"
        placeholder="Server, tool, resource, prompt or action"
        value={query}
        autofocus
        spellcheck={false}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') run(found[at]);
          const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (by === 0) return;
          event.preventDefault();
          const next = (at + by + found.length) % Math.max(1, found.length);
          setAt(next);
          document.querySelector(`#palette-${next}`)?.scrollIntoView({ block: 'nearest' });
        }}
      />
      <ul class="palette-list" id="palette-list" role="listbox" aria-label="Found">
        {found.map((action, index) => (
          <li
            key={`${action.about} ${action.text}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => run(action)}
          >
            <span class={`found-name truncate ${action.isAction === true ? '' : 'mono'}`}>{action.text}</span>
            <span class="found-about dim small truncate">
              {action.key === undefined ? action.about : <kbd>{action.key}</kbd>}
            </span>
          </li>
        ))}
        {found.length === 0 ? <li class="dim">No results.</li> : null}
      </ul>
    </Dialog>
  );
}

/** An action of the command palette. */
interface Action {
  readonly text: string;
  readonly about: string;
  readonly search: string;
  readonly key?: string | undefined;
  /** Whether it acts instead of navigating. */
  readonly isAction?: boolean;
  run(): void;
}

/** Actions available now, apart from navigation to entries. */
function buildActions(appState: AppState, here: Route): readonly Action[] {
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

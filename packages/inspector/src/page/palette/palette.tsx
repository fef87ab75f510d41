import { useMemo, useState } from 'preact/hooks';
import type { ListKind } from '../../shared/lists.ts';
import { focusDetail } from '../components/focus.ts';
import { setFilter } from '../lists/filters.ts';
import { toSearchText, search } from '../lists/search.ts';
import { useEntries } from '../model/entries.ts';
import { navigate, route } from '../model/route.ts';
import { firstSection } from '../model/selectors.ts';
import { displayName } from '../model/display-name.ts';
import { useAppState } from '../model/store.ts';
import { selectedConnection } from '../model/selectors.ts';
import { type Action, buildActions } from './actions.ts';
import { Dialog } from './dialog.tsx';
import { openDialog } from './dialog.tsx';

const kinds: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];
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
  const lists = connections.flatMap(({ id }) => kinds.map((kind) => useEntries(id, kind)));
  const all = useMemo(() => {
    const entries = lists.flatMap((list, index) => {
      const connection = connections[Math.floor(index / kinds.length)];
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
            <span class={`found-name cut ${action.isAction === true ? '' : 'mono'}`}>{action.text}</span>
            <span class="found-about dim small cut">
              {action.key === undefined ? action.about : <kbd>{action.key}</kbd>}
            </span>
          </li>
        ))}
        {found.length === 0 ? <li class="dim">No results.</li> : null}
      </ul>
    </Dialog>
  );
}

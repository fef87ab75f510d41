import { useMemo, useState } from 'preact/hooks';
import type { ListKind } from '../../shared/lists.ts';
import { focusDetail } from '../components/focus.ts';
import { setFilter } from '../lists/filters.ts';
import { searchable, search } from '../lists/search.ts';
import { useEntries } from '../model/entries.ts';
import { goTo, place } from '../model/route.ts';
import { firstSection } from '../model/selectors.ts';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { chosenConnection } from '../model/selectors.ts';
import { type Action, actionsOf } from './actions.ts';
import { FloatingWindow } from './dialog.tsx';
import { floating } from './dialog.tsx';

const kinds: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];
const atMost = 100;

/** Everything by name: servers, tools, resources, prompts, actions. */
export function Palette() {
  const world = useWorld('connections', 'lists', 'work');
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const chosen = chosenConnection(world);
  // What is looked at comes first.
  const connections = [...world.connections.values()].sort(
    (one, other) => Number(other === chosen) - Number(one === chosen),
  );
  const lists = connections.flatMap(({ id }) => kinds.map((kind) => useEntries(id, kind)));
  const all = useMemo(() => {
    const entries = lists.flatMap((list, index) => {
      const connection = connections[Math.floor(index / kinds.length)];
      const where =
        connection === undefined || connection === chosen ? '' : ` of ${shownName(connection, connections)}`;
      return (list ?? []).map(
        (entry): Action => ({
          text: entry.id,
          about: `${entry.title === '' ? '' : `${entry.title} · `}${entry.kind.slice(0, -1)}${where}`,
          search: entry.search,
          run: () => {
            // A filter of the list could hide it there.
            if (connection !== undefined) setFilter(connection.id, entry.kind, '');
            goTo({ server: connection?.label, section: entry.kind, name: entry.id });
            focusDetail();
          },
        }),
      );
    });
    const servers = [...world.connections.values()].map((connection): Action => {
      const name = shownName(connection, world.connections.values());
      return {
        text: name,
        about: name === connection.detail ? 'server' : `${connection.detail} · server`,
        search: searchable(name, 'server', connection.detail),
        run: () => goTo({ server: connection.label, section: firstSection(connection) }),
      };
    });
    return [...servers, ...actionsOf(world, place.value), ...entries];
  }, [...lists, world.connections.size, chosen?.id]);
  const found = useMemo(() => search(all, query).slice(0, atMost), [all, query]);
  const run = (action: Action | undefined) => {
    if (action === undefined) return;
    floating.value = undefined;
    action.run();
  };
  return (
    <FloatingWindow label="Everything by name">
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
        {found.length === 0 ? <li class="dim">Nothing has this name.</li> : null}
      </ul>
    </FloatingWindow>
  );
}

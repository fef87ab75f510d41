import { useMemo } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { ListKind, ListState } from '../../shared/lists.ts';
import { Button } from '../components/controls.tsx';
import { focusDetail, focusSelectedRow, rowAfterKey } from '../components/focus.ts';
import { formatCount, formatDuration, formatTokens } from '../components/format.ts';
import { VirtualRows } from '../components/virtual-rows.tsx';
import { request } from '../model/api.ts';
import { type Entry, search, useEntries } from '../model/entries.ts';
import { navigate, openedRecording, route } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { getFilter, setFilter } from './filters.ts';
import { ListChanges } from './list-changes.tsx';

const kindNames: Readonly<Record<ListKind, readonly [one: string, many: string]>> = {
  tools: ['tool', 'tools'],
  resources: ['resource', 'resources'],
  templates: ['template', 'templates'],
  prompts: ['prompt', 'prompts'],
};

/** The middle column: a list of the server, with a filter. */
export function ListColumn({ connection, kind }: { connection: Connection; kind: ListKind }) {
  const appState = useAppState('lists', 'hello');
  const list = appState.lists.get(`${connection.id}/${kind}`);
  const change = appState.changeHistory
    .forConnection(connection.id)
    .findLast((each) => each.is === 'list' && each.lists.some(({ n }) => n === list?.n));
  const entries = useEntries(connection.id, kind);
  const query = getFilter(connection.id, kind);
  const found = useMemo(() => search(entries ?? [], query), [entries, query]);
  const at = found.findIndex(({ id }) => id === route.value.name);
  const nameWidth = useMemo(() => longestName(entries ?? []), [entries]);
  const open = (index: number) => {
    const entry = found[index];
    if (entry !== undefined) navigate({ server: connection.label, section: kind, name: entry.id });
  };
  const rowAfter = (key: string) => rowAfterKey(key, { at, count: found.length, page: 12 });
  return (
    <section class="column list-column" aria-label={kindNames[kind][1]}>
      <button type="button" class="back" onClick={() => navigate({})}>
        ‹ Servers
      </button>
      <div class="list-head">
        <input
          class="input"
          type="search"
          id="filter"
          aria-label={`Filter ${kindNames[kind][1]}`}
          placeholder={`Filter ${formatCount(list?.count ?? 0)} ${kindNames[kind][list?.count === 1 ? 0 : 1]}`}
          value={query}
          spellcheck={false}
          onInput={(event) => setFilter(connection.id, kind, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault();
              open(rowAfter(event.key) ?? 0);
            } else if (event.key === 'Enter') {
              event.preventDefault();
              open(Math.max(0, at));
              focusDetail();
            }
          }}
        />
        {query === '' ? <kbd aria-hidden="true">/</kbd> : null}
      </div>
      {list?.changes === undefined ? null : (
        <ListChanges
          changes={list.changes}
          version={list.version}
          id={`${connection.id}/${kind}`}
          onMore={change && (() => navigate({ server: connection.label, section: 'listen', name: String(change.n) }))}
        />
      )}
      {list?.state === 'refused' ? <ListError connection={connection} kind={kind} error={list.error} /> : null}
      {found.length === 0 && list?.state === 'refused' && query === '' ? null : found.length === 0 ? (
        <EmptyList connection={connection} kind={kind} list={list} query={query} isLoaded={entries !== undefined} />
      ) : (
        <div
          class="list-body"
          style={{ '--name-width': `${nameWidth}ch` }}
          onKeyDown={(event) => {
            const next = rowAfter(event.key);
            if (next === undefined) return;
            event.preventDefault();
            open(next);
            focusSelectedRow('.entry-row');
          }}
        >
          <VirtualRows
            count={found.length}
            label={kindNames[kind][1]}
            role="listbox"
            reveal={at}
            rowKey={(index) => found[index]?.id ?? ''}
            row={(index) => (
              <EntryRow
                entry={found[index]}
                isChosen={index === at}
                isFirst={at === -1 && index === 0}
                onOpen={(event) => {
                  open(index);
                  // Opened with the keyboard: move focus into the detail.
                  if (event.detail === 0) focusDetail();
                }}
              />
            )}
          />
        </div>
      )}
      <ListFooter connection={connection} kind={kind} list={list} shown={found.length} />
    </section>
  );
}

/** Length of the longest name; there may be too many entries to spread into one call. */
function longestName(entries: readonly Entry[]): number {
  let longest = 0;
  for (const { id } of entries) longest = Math.max(longest, id.length);
  return longest;
}

function EntryRow({
  entry,
  isChosen,
  isFirst,
  onOpen,
}: {
  entry: Entry | undefined;
  isChosen: boolean;
  isFirst: boolean;
  onOpen: (event: MouseEvent) => void;
}) {
  if (entry === undefined) return null;
  return (
    <button
      type="button"
      role="option"
      class="entry-row"
      aria-selected={isChosen}
      tabIndex={isChosen || isFirst ? 0 : -1}
      onClick={onOpen}
      title={entry.id}
    >
      {hasAddress(entry) ? (
        <>
          <span class="entry-name">{entry.title}</span>
          <span class="dim truncate small mono">{entry.id}</span>
        </>
      ) : (
        <>
          <span class="entry-name mono">{entry.id}</span>
          <span class="dim truncate small">{entry.title === '' ? entry.description : entry.title}</span>
        </>
      )}
    </button>
  );
}

/** Titles first: URIs share their prefixes. */
function hasAddress({ kind, title }: Entry): boolean {
  return (kind === 'resources' || kind === 'templates') && title !== '';
}

function ListError({ connection, kind, error }: { connection: Connection; kind: ListKind; error: ListState['error'] }) {
  return (
    <div class="empty-text" role="alert">
      <p class="bad">✕ The server refused to list its {kindNames[kind][1]}.</p>
      <p>
        {error?.message} {error?.code === undefined ? null : <code>{error.code}</code>}
      </p>
      {error?.advice === undefined ? null : <p>{error.advice}</p>}
      {openedRecording.value !== undefined ? null : (
        <Button onClick={() => void request('list', { connection: connection.id, kind })}>Ask again</Button>
      )}
    </div>
  );
}

function EmptyList({
  connection,
  kind,
  list,
  query,
  isLoaded,
}: {
  connection: Connection;
  kind: ListKind;
  list: ListState | undefined;
  query: string;
  isLoaded: boolean;
}) {
  const many = kindNames[kind][1];
  if (list?.state === 'absent') return <p class="empty-text dim">This server does not declare {many}.</p>;
  if (query !== '' && isLoaded)
    return (
      <p class="empty-text dim">
        No {kindNames[kind][0]} has “{query}”. Esc clears the filter.
      </p>
    );
  if (openedRecording.value !== undefined && !isLoaded && list?.count !== 0)
    return <p class="empty-text dim">The recording does not have these {many}.</p>;
  if (list === undefined || list.state === 'loading' || !isLoaded) {
    return (
      <p class="empty-text dim" role="status">
        {connection.status.is === 'connected' ? `Loading the ${many} …` : 'Not connected.'}
      </p>
    );
  }
  return <p class="empty-text dim">The server has no {many}.</p>;
}

function ListFooter({
  connection,
  kind,
  list,
  shown,
}: {
  connection: Connection;
  kind: ListKind;
  list: ListState | undefined;
  shown: number;
}) {
  const estimate = useAppState('hello').hello?.tokenEstimate;
  if (list === undefined || list.state === 'absent') return null;
  return (
    <footer class="list-foot dim small">
      <span class="grow truncate" title={`Tokens are estimated: ${estimate ?? ''}`}>
        {shown === list.count ? formatCount(shown) : `${formatCount(shown)} of ${formatCount(list.count)}`} ·{' '}
        {formatTokens(list.tokens)}
        {list.ms === undefined ? '' : ` · ${formatDuration(list.ms)}`}
      </span>
      {openedRecording.value !== undefined ? null : (
        <Button
          class="quiet"
          title="Reload the list"
          onClick={() => void request('list', { connection: connection.id, kind })}
        >
          ↻ <span class="hidden">Reload the list</span>
        </Button>
      )}
    </footer>
  );
}

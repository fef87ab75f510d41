import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { MoreButton } from '../components/controls.tsx';
import { formatTime } from '../components/format.ts';
import type { ObservedChange } from '../model/change-history.ts';
import { navigate, openedRecording, route } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { ListChangeDetail, ListChangeSummary } from './list-change.tsx';
import { findReadings, ResourceChangeDetail, ResourceChangeSummary } from './resource-change.tsx';

const rowsPerPage = 100;

/** Observed changes, latest first. The URL names the open one. */
export function ChangeList({ connection, isListening }: { connection: Connection; isListening: boolean }) {
  const { changeHistory } = useAppState('work', 'calls');
  const [most, setMost] = useState(rowsPerPage);
  const all = changeHistory.forConnection(connection.id).toSorted((one, other) => other.last - one.last);
  const { server, section, name } = route.value;
  const [focused, setFocused] = useState<number | undefined>();
  const reachable = all.find(({ n }) => n === focused) ?? all.find(({ n }) => String(n) === name) ?? all[0];
  return (
    <section class="block" aria-label="Heard">
      <h2>Heard</h2>
      {all.length === 0 ? <p class="dim">{emptyText(isListening)}</p> : null}
      {name !== undefined && all.every(({ n }) => String(n) !== name) ? (
        <p class="dim">The change in the URL is no longer available.</p>
      ) : null}
      <ul
        class="change-rows"
        onKeyDown={(event) => {
          const step = rowSteps[event.key];
          const row = (event.target as HTMLElement).closest<HTMLElement>('.change-row');
          if (step === undefined || row === null) return;
          event.preventDefault();
          // The global shortcut would move to the tabbable row.
          event.stopPropagation();
          const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.change-row')];
          rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(row) + step))]?.focus();
        }}
      >
        {all.slice(0, most).map((each) => (
          <ChangeRow
            key={each.n}
            change={each}
            connection={connection}
            isOpen={String(each.n) === name}
            isReachable={each === reachable}
            onFocus={() => setFocused(each.n)}
            onToggle={() => navigate({ server, section, name: String(each.n) === name ? undefined : String(each.n) })}
          />
        ))}
      </ul>
      {all.length > most ? (
        <div>
          <MoreButton count={all.length - most} onClick={() => setMost(most + rowsPerPage)} />
        </div>
      ) : null}
    </section>
  );
}

const rowSteps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function emptyText(isListening: boolean): string {
  if (openedRecording.value !== undefined) return 'The recording contains no changes.';
  return isListening
    ? 'No changes yet. They appear here, with what was added, removed and changed.'
    : 'No subscriptions. Choose what to listen to, and changes appear here.';
}

/** One change: time, kind, summary; expanded, its diff. */
function ChangeRow({
  change,
  connection,
  isOpen,
  isReachable,
  onFocus,
  onToggle,
}: {
  change: ObservedChange;
  connection: Connection;
  isOpen: boolean;
  isReachable: boolean;
  onFocus: () => void;
  onToggle: () => void;
}) {
  const appState = useAppState('calls', 'work');
  const readings = change.is === 'resource' ? findReadings(appState, change) : undefined;
  return (
    <li>
      <button
        type="button"
        class="entry-row change-row"
        aria-expanded={isOpen}
        tabIndex={isReachable ? 0 : -1}
        onFocus={onFocus}
        onClick={onToggle}
      >
        <span class="turn" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="dim mono small">{formatTime(change.at)}</span>
        <span class="change-kind">{change.is === 'list' ? `list of ${change.what}` : 'resource'}</span>
        <span class="truncate">
          {change.is === 'list' ? <ListChangeSummary change={change} /> : null}
          {change.is === 'resource' && readings !== undefined ? (
            <ResourceChangeSummary uri={change.uri} readings={readings} />
          ) : null}
        </span>
        <span class="dim small">{change.times > 1 ? `heard ${change.times} times` : ''}</span>
      </button>
      {isOpen ? (
        <div class="change-detail">
          {change.is === 'list' ? <ListChangeDetail change={change} connection={connection} /> : null}
          {change.is === 'resource' && readings !== undefined ? (
            <ResourceChangeDetail change={change} readings={readings} connection={connection} />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

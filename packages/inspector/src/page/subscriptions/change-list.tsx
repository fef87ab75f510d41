import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo, place } from '../model/route.ts';
import { useWorld } from '../model/store.ts';
import type { Heard } from '../model/change-history.ts';
import { timeOfDay } from '../components/format.ts';
import { ListDifference, ListSummary } from './list-change.tsx';
import { readingsOf, ResourceDifference, ResourceSummary } from './resource-change.tsx';

const atOnce = 100;

/** What was heard, the latest first. One of them is open: it stands in the address. */
export function HeardList({ connection, isListening }: { connection: Connection; isListening: boolean }) {
  const { heard } = useWorld('work', 'calls');
  const [most, setMost] = useState(atOnce);
  const all = heard.of(connection.id).toSorted((one, other) => other.last - one.last);
  const { server, section, name } = place.value;
  const [focused, setFocused] = useState<number | undefined>();
  const reachable = all.find(({ n }) => n === focused) ?? all.find(({ n }) => String(n) === name) ?? all[0];
  return (
    <section class="block" aria-label="Heard">
      <h2>Heard</h2>
      {all.length === 0 ? <p class="dim">{silence(isListening)}</p> : null}
      {name !== undefined && all.every(({ n }) => String(n) !== name) ? (
        <p class="dim">The change that the address names is not known here any more.</p>
      ) : null}
      <ul
        class="heard"
        onKeyDown={(event) => {
          const step = steps[event.key];
          const row = (event.target as HTMLElement).closest<HTMLElement>('.heard-row');
          if (step === undefined || row === null) return;
          event.preventDefault();
          // Elsewhere these keys lead to the row that Tab leads to.
          event.stopPropagation();
          const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.heard-row')];
          rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(row) + step))]?.focus();
        }}
      >
        {all.slice(0, most).map((each) => (
          <HeardRow
            key={each.n}
            heard={each}
            connection={connection}
            isOpen={String(each.n) === name}
            isReachable={each === reachable}
            onFocus={() => setFocused(each.n)}
            onToggle={() => goTo({ server, section, name: String(each.n) === name ? undefined : String(each.n) })}
          />
        ))}
      </ul>
      {all.length > most ? (
        <div>
          <button type="button" class="quiet" onClick={() => setMost(most + atOnce)}>
            {all.length - most} more …
          </button>
        </div>
      ) : null}
    </section>
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function silence(isListening: boolean): string {
  if (openedRecording.value !== undefined) return 'Nothing had changed when the recording ended.';
  return isListening
    ? 'Nothing has changed yet. What does is shown here, with what came, went and changed.'
    : 'Nothing is listened to. Choose what, and what changes is shown here.';
}

/** One change: when, of what, in short what it was; opened, where it differs. */
function HeardRow({
  heard,
  connection,
  isOpen,
  isReachable,
  onFocus,
  onToggle,
}: {
  heard: Heard;
  connection: Connection;
  isOpen: boolean;
  isReachable: boolean;
  onFocus: () => void;
  onToggle: () => void;
}) {
  const world = useWorld('calls', 'work');
  const readings = heard.is === 'resource' ? readingsOf(world, heard) : undefined;
  return (
    <li>
      <button
        type="button"
        class="entry-row heard-row"
        aria-expanded={isOpen}
        tabIndex={isReachable ? 0 : -1}
        onFocus={onFocus}
        onClick={onToggle}
      >
        <span class="turn" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="dim mono small">{timeOfDay(heard.at)}</span>
        <span class="heard-what">{heard.is === 'list' ? `list of ${heard.what}` : 'resource'}</span>
        <span class="cut">
          {heard.is === 'list' ? <ListSummary heard={heard} /> : null}
          {heard.is === 'resource' && readings !== undefined ? (
            <ResourceSummary uri={heard.uri} readings={readings} />
          ) : null}
        </span>
        <span class="dim small">{heard.times > 1 ? `heard ${heard.times} times` : ''}</span>
      </button>
      {isOpen ? (
        <div class="heard-detail">
          {heard.is === 'list' ? <ListDifference heard={heard} connection={connection} /> : null}
          {heard.is === 'resource' && readings !== undefined ? (
            <ResourceDifference heard={heard} readings={readings} connection={connection} />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

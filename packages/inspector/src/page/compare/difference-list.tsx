import { useMemo, useState } from 'preact/hooks';
import { focusSelectedRow } from '../components/focus.ts';
import { VirtualRows } from '../lists/virtual-rows.tsx';
import { buildRows, type DifferenceRow } from './difference-rows.ts';
import type { ComparedSection, ComparedItem, Verdict } from './compare-sessions.ts';
import { diffJson } from '../diff/diff.ts';
import type { Json } from '../form/json.ts';
import { formatDuration } from '../components/format.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { JsonTree } from '../result/json-tree.tsx';

/** Sign, tone and label of each verdict. */
const verdictStyles: Readonly<Record<Verdict, readonly [sign: string, tone: string, word: string]>> = {
  same: ['=', 'dim', 'the same in both'],
  changed: ['≠', 'note', 'differs'],
  removed: ['−', 'bad', 'only before'],
  added: ['+', 'ok', 'only after'],
};

/** One row of a comparison. */
function DifferenceRowView({
  row,
  isChosen,
  isReachable,
  onChoose,
}: {
  row: DifferenceRow;
  isChosen: boolean;
  isReachable: boolean;
  onChoose: () => void;
}) {
  return (
    <button
      type="button"
      role="option"
      class={`entry-row difference-row is-${row.is}`}
      aria-selected={isChosen}
      tabIndex={isReachable ? 0 : -1}
      onClick={onChoose}
    >
      {row.is === 'head' ? <PartHeader part={row.part} /> : row.is === 'item' ? <ItemRow item={row.item} /> : null}
      {row.is === 'same' ? (
        <span class="dim">
          <span class="mark">=</span> {row.count} the same{row.count === 1 ? `: ${row.first}` : ''} …
        </span>
      ) : null}
    </button>
  );
}

function PartHeader({ part: { title, items, times } }: { part: ComparedSection }) {
  return (
    <>
      <strong class="grow">
        {title} <Counts items={items} />
      </strong>
      <Times times={times} />
    </>
  );
}

/** Counts of changed, removed, added and equal items. */
export function Counts({ items }: { items: readonly ComparedItem[] }) {
  const count = (wanted: Verdict) => items.filter(({ verdict }) => verdict === wanted).length;
  const shown = (['changed', 'removed', 'added', 'same'] as const).filter((verdict) => count(verdict) > 0);
  return (
    <span class="counts small">
      {shown.map((verdict) => (
        <span key={verdict} class={verdictStyles[verdict][1]} title={verdictStyles[verdict][2]}>
          {verdictStyles[verdict][0]} {count(verdict)}
        </span>
      ))}
    </span>
  );
}

function ItemRow({ item: { name, about, verdict, before, after, times, isMoved } }: { item: ComparedItem }) {
  const [sign, tone, word] = verdictStyles[verdict];
  const isFact = typeof before !== 'object' && typeof after !== 'object';
  return (
    <>
      <span class={`mark ${tone}`} role="img" aria-label={word}>
        {sign}
      </span>
      <span class="entry-name mono">{name}</span>
      {isFact ? (
        <span class="grow cut mono">
          {verdict === 'same' || before === undefined ? null : <del>{String(before)}</del>}{' '}
          {after === undefined ? null : verdict === 'same' ? String(after) : <ins>{String(after)}</ins>}
        </span>
      ) : (
        <span class="grow cut dim mono">{about ?? changedPaths(before, after)}</span>
      )}
      {isMoved ? <span class="tag note">other order</span> : null}
      <Times times={times} />
    </>
  );
}

const maxPaths = 3;

/** The first paths that differ, in one line. */
function changedPaths(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined || after === undefined) return '';
  const places = diffJson(before, after).map(({ path }) => path.join(' › '));
  const more = places.length > maxPaths ? ` and ${places.length - maxPaths} more` : '';
  return `${places.slice(0, maxPaths).join(', ')}${more}`;
}

/** Durations in both sessions, side by side. */
function Times({ times }: { times: ComparedItem['times'] }) {
  if (times === undefined || (times.before === undefined && times.after === undefined)) return null;
  const shown = (ms: number | undefined) => (ms === undefined ? '–' : formatDuration(ms));
  return (
    <span class="times dim mono small" title="before and after">
      <span>{shown(times.before)}</span>
      <span aria-hidden="true">→</span>
      <span>{shown(times.after)}</span>
    </span>
  );
}

const page = 12;

/** Rows of a comparison, with the detail of the selected one. */
export function DifferenceList({
  parts,
  query,
  isAll,
}: {
  parts: readonly ComparedSection[];
  query: string;
  isAll: boolean;
}) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [key, setKey] = useState<string | undefined>();
  const rows = useMemo(() => buildRows(parts, { query, isAll, opened }), [parts, query, isAll, opened]);
  const at = rows.findIndex((row) => row.key === key);
  const choose = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row !== undefined) setKey(row.key);
  };
  const open = (index: number) => {
    const row = rows[index];
    if (row?.is === 'same') setOpened(new Set(opened).add(row.key));
    choose(index);
  };
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: rows.length - 1,
    PageDown: at + page,
    PageUp: at - page,
  };
  return (
    <div class="difference-columns">
      <div
        class="list-place"
        onKeyDown={(event) => {
          // Focus follows the selection by one frame: Enter before that means the selected row.
          const next = event.key === 'Enter' ? at : steps[event.key];
          if (next === undefined || (event.key === 'Enter' && at < 0)) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') open(next);
          else choose(next);
          focusSelectedRow('.difference-row');
        }}
      >
        {rows.length === 0 ? <p class="emptiness dim">No matches.</p> : null}
        <VirtualRows
          count={rows.length}
          label="Differences"
          role="listbox"
          reveal={at}
          row={(index) => {
            const row = rows[index];
            return row === undefined ? null : (
              <DifferenceRowView
                row={row}
                isChosen={index === at}
                isReachable={index === Math.max(0, at)}
                onChoose={() => open(index)}
              />
            );
          }}
        />
      </div>
      <section class="difference-detail" aria-label="Difference">
        <DifferenceDetail row={rows[at]} />
      </section>
    </div>
  );
}

/** Detail of a row: the differences, and both full values. */
function DifferenceDetail({ row }: { row: DifferenceRow | undefined }) {
  if (row === undefined || row.is === 'same')
    return <p class="emptiness dim">Select a row to see its differences. ↑ and ↓ move through them.</p>;
  if (row.is === 'head') {
    return (
      <div class="block">
        <h2>{row.part.title}</h2>
        <Counts items={row.part.items} />
        <Times times={row.part.times} />
      </div>
    );
  }
  const { name, verdict, before, after, times, isMoved } = row.item;
  const [sign, tone, word] = verdictStyles[verdict];
  return (
    <div class="block">
      <h2 class="mono">{name}</h2>
      <p class="line">
        <span class={tone}>
          {sign} {word}
        </span>
        {isMoved ? <span class="note">in a different order</span> : null}
        <Times times={times} />
      </p>
      {verdict === 'changed' ? <DiffView before={before} after={after} /> : null}
      {verdict === 'changed' ? (
        <>
          <FullValue title="Before, whole" value={before} />
          <FullValue title="After, whole" value={after} />
        </>
      ) : (
        <JsonTree value={after ?? before ?? null} depth={3} />
      )}
    </div>
  );
}

function FullValue({ title, value }: { title: string; value: Parameters<typeof JsonTree>[0]['value'] | undefined }) {
  return (
    <details>
      <summary class="dim">{title}</summary>
      <JsonTree value={value ?? null} depth={3} />
    </details>
  );
}

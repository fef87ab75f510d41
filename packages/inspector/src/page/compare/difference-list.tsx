import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../../shared/json.ts';
import { focusSelectedRow, rowAfterKey } from '../components/focus.ts';
import { formatDuration } from '../components/format.ts';
import { VirtualRows } from '../components/virtual-rows.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { diffJson } from '../diff/diff.ts';
import { search } from '../model/entries.ts';
import { JsonTree } from '../content/json-tree.tsx';
import type { ComparedItem, ComparedSection, Verdict } from './compare-sessions.ts';

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
        <span class="grow truncate mono">
          {verdict === 'same' || before === undefined ? null : <del>{String(before)}</del>}{' '}
          {after === undefined ? null : verdict === 'same' ? String(after) : <ins>{String(after)}</ins>}
        </span>
      ) : (
        <span class="grow truncate dim mono">{about ?? changedPaths(before, after)}</span>
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
  const paths = diffJson(before, after).map(({ path }) => path.join(' › '));
  const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : '';
  return `${paths.slice(0, maxPaths).join(', ')}${more}`;
}

/** Durations in both sessions, side by side. */
function Times({ times }: { times: ComparedItem['times'] }) {
  if (times === undefined || (times.before === undefined && times.after === undefined)) return null;
  const formatMs = (ms: number | undefined) => (ms === undefined ? '–' : formatDuration(ms));
  return (
    <span class="times dim mono small" title="before and after">
      <span>{formatMs(times.before)}</span>
      <span aria-hidden="true">→</span>
      <span>{formatMs(times.after)}</span>
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
    const row = rows[index];
    if (row !== undefined) setKey(row.key);
  };
  const open = (index: number) => {
    const row = rows[index];
    if (row?.is === 'same') setOpened(new Set(opened).add(row.key));
    choose(index);
  };
  return (
    <div class="difference-columns">
      <div
        class="list-body"
        onKeyDown={(event) => {
          // Focus follows the selection by one frame: Enter before that means the selected row.
          const next = event.key === 'Enter' ? at : rowAfterKey(event.key, { at, count: rows.length, page });
          if (next === undefined || (event.key === 'Enter' && at < 0)) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') open(next);
          else choose(next);
          focusSelectedRow('.difference-row');
        }}
      >
        {rows.length === 0 ? <p class="empty-text dim">No matches.</p> : null}
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
    return <p class="empty-text dim">Select a row to see its differences. ↑ and ↓ move through them.</p>;
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

/** A row of the comparison: a section header, an item, or a collapsed run of equal items. */
type DifferenceRow =
  | { readonly is: 'head'; readonly key: string; readonly part: ComparedSection }
  | { readonly is: 'item'; readonly key: string; readonly item: ComparedItem }
  | { readonly is: 'same'; readonly key: string; readonly count: number; readonly first: string };

/** Filter and expansion state of a comparison. */
interface RowOptions {
  /** Words that the names must contain. */
  readonly query: string;
  /** Whether equal items are shown too. */
  readonly isAll: boolean;
  /** Keys of the expanded runs. */
  readonly opened: ReadonlySet<string>;
}

/** Builds the rows of a comparison. */
export function buildRows(
  parts: readonly ComparedSection[],
  { query, isAll, opened }: RowOptions,
): readonly DifferenceRow[] {
  const rows: DifferenceRow[] = [];
  for (const part of parts) {
    const items = filterItems(part.items, query);
    if (items.length === 0) continue;
    rows.push({ is: 'head', key: part.id, part });
    for (let at = 0; at < items.length; ) {
      let end = at;
      while (end < items.length && isSame(items[end])) end += 1;
      const first = items[at]?.key ?? '';
      const key = `same ${first}`;
      if (end > at && !isAll && !opened.has(key)) {
        rows.push({ is: 'same', key, count: end - at, first: items[at]?.name ?? '' });
        at = end;
        continue;
      }
      end = Math.max(end, at + 1);
      for (const item of items.slice(at, end)) rows.push({ is: 'item', key: item.key, item });
      at = end;
    }
  }
  return rows;
}

function isSame(item: ComparedItem | undefined): boolean {
  return item?.verdict === 'same' && item.isMoved !== true;
}

function filterItems(items: readonly ComparedItem[], query: string): readonly ComparedItem[] {
  if (query.trim() === '') return items;
  const searched = items.map((item) => ({ item, search: `${item.name} ${item.about ?? ''}`.toLowerCase() }));
  const matching = new Set(search(searched, query).map(({ item }) => item));
  return items.filter((item) => matching.has(item));
}

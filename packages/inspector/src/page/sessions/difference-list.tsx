import { useMemo, useState } from 'preact/hooks';
import { focusChosen } from '../lists/focus-chosen.ts';
import { VirtualRows } from '../lists/virtual-rows.tsx';
import { DifferenceDetail } from './difference-detail.tsx';
import { DifferenceRowView } from './difference-row.tsx';
import { differenceRows } from './difference-rows.ts';
import type { ComparedPart } from './session-difference.ts';

const page = 12;

/** The rows of a comparison, and what stands behind the chosen one. */
export function DifferenceList({
  parts,
  query,
  isAll,
}: {
  parts: readonly ComparedPart[];
  query: string;
  isAll: boolean;
}) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [key, setKey] = useState<string | undefined>();
  const rows = useMemo(() => differenceRows(parts, { query, isAll, opened }), [parts, query, isAll, opened]);
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
          // The focus comes a frame after the choice: whoever is quick means the chosen row.
          const next = event.key === 'Enter' ? at : steps[event.key];
          if (next === undefined || (event.key === 'Enter' && at < 0)) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') open(next);
          else choose(next);
          focusChosen('.difference-row');
        }}
      >
        {rows.length === 0 ? <p class="emptiness dim">Nothing has these words.</p> : null}
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

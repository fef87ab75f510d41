import { useMemo, useRef, useState } from 'preact/hooks';
import { focusSelectedRow, rowAfterKey } from '../components/focus.ts';
import { useTabState } from '../components/use-tab-state.ts';
import { VirtualRows } from '../components/virtual-rows.tsx';
import { isPristine } from '../model/selectors.ts';
import { settings } from '../model/settings.ts';
import { useAppState } from '../model/store.ts';
import { EventDetail } from './event-detail.tsx';
import { TimelineRow, timeRangeOf } from './timeline-row.tsx';
import { createTimeAxis, expandCalls, type Row, type RowFilter, TimelineRows } from './timeline-rows.ts';
import { TimelineToolbar } from './timeline-toolbar.tsx';

/** A call and its first message are different rows. */
interface SelectedRow {
  readonly is: Row['is'];
  readonly n: number;
}

/** All events, in order or grouped by call, with raw messages. */
export function Timeline() {
  const appState = useAppState('timeline', 'calls', 'connections');
  const { timelineIs, timelineBy } = settings.value;
  const [filter, setFilter] = useTabState<Omit<RowFilter, 'by'>>('timeline wanted', {
    text: '',
    connection: '',
    kind: 'everything',
  });
  const [pausedAt, setPausedAt] = useState<number | undefined>();
  const [opened, setOpened] = useTabState<readonly string[]>('timeline open', []);
  const [chosen, setChosen] = useTabState<SelectedRow | undefined>('timeline chosen', undefined);
  const open = useMemo(() => new Set(opened), [opened]);
  const builder = useRef(new TimelineRows());
  if (timelineIs === 'closed' || isPristine(appState))
    return (
      <TimelineToolbar
        filter={filter}
        onFilter={setFilter}
        pausedAt={pausedAt}
        onPause={setPausedAt}
        count={appState.timeline.events.length}
      />
    );

  const found = builder.current.update(appState, { ...filter, by: timelineBy }, pausedAt);
  const rows = expandCalls(found, open, appState);
  const at = chosen === undefined ? -1 : rows.findIndex(({ is, event }) => is === chosen.is && event.n === chosen.n);
  const choose = ({ is, event: { n } }: Row) => setChosen({ is, n });
  const select = (index: number) => {
    const next = rows[index];
    if (next !== undefined) choose(next);
  };
  const toggle = (call: string) => {
    const next = new Set(open);
    if (!next.delete(call)) next.add(call);
    setOpened([...next]);
  };
  let axis: { key: string; of: ReturnType<typeof createTimeAxis> } | undefined;
  const axisOf = (first: number, last: number) => {
    const key = `${first} ${last}`;
    if (axis?.key !== key)
      axis = { key, of: createTimeAxis(rows.slice(first, last + 1).map((row) => timeRangeOf(row, appState))) };
    return axis.of;
  };
  const row = rows[at];
  return (
    <section
      class="timeline column"
      aria-label="Timeline"
      style={timelineIs === 'full' ? {} : { height: `min(${settings.value.timeline}px, 45vh)` }}
    >
      <TimelineToolbar
        filter={filter}
        onFilter={setFilter}
        pausedAt={pausedAt}
        onPause={setPausedAt}
        count={rows.length}
      />
      <div
        class="timeline-body"
        onKeyDown={(event) => {
          const to = rowAfterKey(event.key, { at, count: rows.length });
          if ((event.target as HTMLElement).closest('.event-detail, input, select') !== null) return;
          if (to !== undefined) {
            event.preventDefault();
            event.stopPropagation();
            select(to);
            focusSelectedRow('.timeline-row');
          } else if ((event.key === 'ArrowRight' || event.key === 'ArrowLeft') && row?.is === 'call') {
            event.preventDefault();
            if (open.has(row.call) !== (event.key === 'ArrowRight')) toggle(row.call);
          } else if (event.key === 'Escape' && chosen !== undefined) {
            event.stopPropagation();
            setChosen(undefined);
          }
        }}
      >
        {rows.length === 0 ? (
          <p class="empty-text dim">
            {appState.timeline.events.length === 0 ? 'No events yet.' : 'No events match the filter.'}
          </p>
        ) : (
          <VirtualRows
            count={rows.length}
            height={24}
            label="Messages"
            role="tree"
            reveal={at === -1 ? undefined : at}
            stick={chosen === undefined && pausedAt === undefined}
            row={(index, first, last) => {
              const each = rows[index];
              return each === undefined ? null : (
                <TimelineRow
                  row={each}
                  appState={appState}
                  axis={axisOf(first, last)}
                  isChosen={index === at}
                  isOpen={each.is === 'call' && open.has(each.call)}
                  isFirst={at === -1 && index === first}
                  onChoose={() => choose(each)}
                  onToggle={toggle}
                />
              );
            }}
          />
        )}
        {row === undefined ? null : <EventDetail key={rowKey(row)} row={row} onClose={() => setChosen(undefined)} />}
      </div>
    </section>
  );
}

function rowKey({ is, event }: Row): string {
  return `${is} ${event.n}`;
}

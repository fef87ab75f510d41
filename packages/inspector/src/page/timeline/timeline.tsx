import { useMemo, useRef, useState } from 'preact/hooks';
import { focusChosen } from '../components/focus.ts';
import { VirtualRows } from '../lists/virtual-rows.tsx';
import { settings } from '../model/settings.ts';
import { isUntouched } from '../model/selectors.ts';
import { useWorld } from '../model/store.ts';
import { useKept } from '../components/use-tab-state.ts';
import { axisFor } from './time-axis.ts';
import { EventDetail } from './event-detail.tsx';
import { type Row, Rows, type Wanted, withInside } from './timeline-rows.ts';
import { TimelineHead } from './timeline-toolbar.tsx';
import { stretchOf, TimelineRow } from './timeline-row.tsx';

/** A call and the message that it began with are two rows. */
interface Chosen {
  readonly is: Row['is'];
  readonly n: number;
}

/** Everything that happened, in order or as bars by call, with the raw messages. */
export function Timeline() {
  const world = useWorld('timeline', 'calls', 'connections');
  const { timelineIs, timelineBy } = settings.value;
  const [wanted, setWanted] = useKept<Omit<Wanted, 'by'>>('timeline wanted', {
    text: '',
    connection: '',
    kind: 'everything',
  });
  const [pausedAt, setPausedAt] = useState<number | undefined>();
  const [opened, setOpened] = useKept<readonly string[]>('timeline open', []);
  const [chosen, setChosen] = useKept<Chosen | undefined>('timeline chosen', undefined);
  const open = useMemo(() => new Set(opened), [opened]);
  const maker = useRef(new Rows());
  if (timelineIs === 'closed' || isUntouched(world))
    return (
      <TimelineHead
        wanted={wanted}
        onWant={setWanted}
        pausedAt={pausedAt}
        onPause={setPausedAt}
        count={world.timeline.length}
      />
    );

  const found = maker.current.update(world, { ...wanted, by: timelineBy }, pausedAt);
  const rows = withInside(found, open, world);
  const at = chosen === undefined ? -1 : rows.findIndex(({ is, event }) => is === chosen.is && event.n === chosen.n);
  const choose = ({ is, event: { n } }: Row) => setChosen({ is, n });
  const select = (index: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (next !== undefined) choose(next);
  };
  const toggle = (call: string) => {
    const next = new Set(open);
    if (!next.delete(call)) next.add(call);
    setOpened([...next]);
  };
  let axis: { key: string; of: ReturnType<typeof axisFor> } | undefined;
  const axisOf = (first: number, last: number) => {
    const key = `${first} ${last}`;
    if (axis?.key !== key) axis = { key, of: axisFor(rows.slice(first, last + 1).map((row) => stretchOf(row, world))) };
    return axis.of;
  };
  const row = rows[at];
  return (
    <section
      class="timeline column"
      aria-label="Timeline"
      style={timelineIs === 'full' ? {} : { height: `min(${settings.value.timeline}px, 45vh)` }}
    >
      <TimelineHead wanted={wanted} onWant={setWanted} pausedAt={pausedAt} onPause={setPausedAt} count={rows.length} />
      <div
        class="timeline-body"
        onKeyDown={(event) => {
          const steps: Readonly<Record<string, number>> = {
            ArrowDown: at + 1,
            j: at + 1,
            ArrowUp: at - 1,
            k: at - 1,
            Home: 0,
            End: rows.length - 1,
          };
          const to = steps[event.key];
          if ((event.target as HTMLElement).closest('.event-detail, input, select') !== null) return;
          if (to !== undefined) {
            event.preventDefault();
            event.stopPropagation();
            select(to);
            focusChosen('.timeline-row');
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
          <p class="emptiness dim">
            {world.timeline.length === 0 ? 'Nothing has happened yet.' : 'Nothing fits the filter.'}
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
                  world={world}
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
        {row === undefined ? null : <EventDetail key={keyOf(row)} row={row} onClose={() => setChosen(undefined)} />}
      </div>
    </section>
  );
}

function keyOf({ is, event }: Row): string {
  return `${is} ${event.n}`;
}

import { set, settings } from '../model/settings.ts';
import { shownName } from '../model/display-name.ts';
import { isUntouched } from '../model/selectors.ts';
import { useWorld } from '../model/store.ts';
import { RecordButton } from '../recordings/record-button.tsx';
import { type Kind, kinds, type Wanted } from './timeline-rows.ts';

type Filter = Omit<Wanted, 'by'>;

/** The head of the timeline: what of it is shown, and how. */
export function TimelineHead({
  wanted,
  onWant,
  pausedAt,
  onPause,
  count,
}: {
  wanted: Filter;
  onWant: (wanted: Filter) => void;
  pausedAt: number | undefined;
  onPause: (at: number | undefined) => void;
  count: number;
}) {
  const world = useWorld('connections', 'timeline');
  const { timelineIs, timelineBy } = settings.value;
  // Before anything has happened there is nothing to open.
  const isEmpty = isUntouched(world);
  const isOpen = timelineIs !== 'closed' && !isEmpty;
  return (
    <div class={`timeline-head ${isOpen ? '' : 'timeline'}`}>
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        title="t"
        disabled={isEmpty}
        onClick={() => set({ timelineIs: isOpen ? 'closed' : 'strip' })}
      >
        {isOpen ? '▾' : '▸'} Timeline <span class="dim">{isEmpty ? '' : count.toLocaleString('en')}</span>
      </button>
      {isEmpty ? <span class="dim cut">Nothing has happened yet.</span> : null}
      {isOpen ? (
        <>
          <input
            class="input"
            type="search"
            aria-label="Search messages"
            placeholder="Search messages"
            value={wanted.text}
            onInput={(event) => onWant({ ...wanted, text: event.currentTarget.value })}
          />
          <select
            class="input"
            aria-label="Of which server"
            value={wanted.connection}
            onChange={(event) => onWant({ ...wanted, connection: event.currentTarget.value })}
          >
            <option value="">all servers</option>
            {[...world.connections.values()].map((each) => (
              <option key={each.id} value={each.id}>
                {shownName(each, world.connections.values())}
              </option>
            ))}
          </select>
          <select
            class="input"
            aria-label="Of which kind"
            value={wanted.kind}
            onChange={(event) => onWant({ ...wanted, kind: event.currentTarget.value as Kind })}
          >
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kind === 'everything' ? 'all kinds' : kind}
              </option>
            ))}
          </select>
          <div class="switch" role="group" aria-label="Arranged">
            {(['calls', 'order'] as const).map((by) => (
              <button
                type="button"
                key={by}
                class={`quiet ${timelineBy === by ? 'is-chosen' : ''}`}
                aria-pressed={timelineBy === by}
                onClick={() => set({ timelineBy: by })}
              >
                {by === 'calls' ? 'by call' : 'in order'}
              </button>
            ))}
          </div>
          <button
            type="button"
            class="quiet"
            aria-pressed={pausedAt !== undefined}
            onClick={() => onPause(pausedAt === undefined ? world.last : undefined)}
          >
            {pausedAt === undefined ? 'Pause' : `Go on (${world.timeline.length - world.countUpTo(pausedAt)} new)`}
          </button>
        </>
      ) : null}
      <span class="grow" />
      <RecordButton />
      {isOpen ? (
        <button
          type="button"
          class="quiet"
          onClick={() => set({ timelineIs: timelineIs === 'full' ? 'strip' : 'full' })}
        >
          {timelineIs === 'full' ? 'Smaller' : 'Whole window'}
        </button>
      ) : null}
    </div>
  );
}

import { changeSettings, settings } from '../model/settings.ts';
import { displayName } from '../model/display-name.ts';
import { isPristine } from '../model/selectors.ts';
import { useAppState } from '../model/store.ts';
import { RecordButton } from '../recordings/record-button.tsx';
import { type Kind, kinds, type RowFilter } from './timeline-rows.ts';

type Filter = Omit<RowFilter, 'by'>;

/** Toolbar of the timeline: filters and layout. */
export function TimelineToolbar({
  filter,
  onWant,
  pausedAt,
  onPause,
  count,
}: {
  filter: Filter;
  onWant: (filter: Filter) => void;
  pausedAt: number | undefined;
  onPause: (at: number | undefined) => void;
  count: number;
}) {
  const appState = useAppState('connections', 'timeline');
  const { timelineIs, timelineBy } = settings.value;
  // An empty timeline can't be opened.
  const isEmpty = isPristine(appState);
  const isOpen = timelineIs !== 'closed' && !isEmpty;
  return (
    <div class={`timeline-head ${isOpen ? '' : 'timeline'}`}>
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        title="t"
        disabled={isEmpty}
        onClick={() => changeSettings({ timelineIs: isOpen ? 'closed' : 'strip' })}
      >
        {isOpen ? '▾' : '▸'} Timeline <span class="dim">{isEmpty ? '' : count.toLocaleString('en')}</span>
      </button>
      {isEmpty ? <span class="dim cut">No events yet.</span> : null}
      {isOpen ? (
        <>
          <input
            class="input"
            type="search"
            aria-label="Search messages"
            placeholder="Search messages"
            value={filter.text}
            onInput={(event) => onWant({ ...filter, text: event.currentTarget.value })}
          />
          <select
            class="input"
            aria-label="Server filter"
            value={filter.connection}
            onChange={(event) => onWant({ ...filter, connection: event.currentTarget.value })}
          >
            <option value="">all servers</option>
            {[...appState.connections.values()].map((each) => (
              <option key={each.id} value={each.id}>
                {displayName(each, appState.connections.values())}
              </option>
            ))}
          </select>
          <select
            class="input"
            aria-label="Kind filter"
            value={filter.kind}
            onChange={(event) => onWant({ ...filter, kind: event.currentTarget.value as Kind })}
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
                onClick={() => changeSettings({ timelineBy: by })}
              >
                {by === 'calls' ? 'by call' : 'in order'}
              </button>
            ))}
          </div>
          <button
            type="button"
            class="quiet"
            aria-pressed={pausedAt !== undefined}
            onClick={() => onPause(pausedAt === undefined ? appState.last : undefined)}
          >
            {pausedAt === undefined
              ? 'Pause'
              : `Go on (${appState.timeline.length - appState.countUpTo(pausedAt)} new)`}
          </button>
        </>
      ) : null}
      <span class="grow" />
      <RecordButton />
      {isOpen ? (
        <button
          type="button"
          class="quiet"
          onClick={() => changeSettings({ timelineIs: timelineIs === 'full' ? 'strip' : 'full' })}
        >
          {timelineIs === 'full' ? 'Smaller' : 'Whole window'}
        </button>
      ) : null}
    </div>
  );
}

import { useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import { Button, Select } from '../components/controls.tsx';
import { formatBytes } from '../components/format.ts';
import { downloadFile, fetchFile, request } from '../model/api.ts';
import { displayName } from '../model/display-name.ts';
import { openedRecording } from '../model/route.ts';
import { isPristine } from '../model/selectors.ts';
import { changeSettings, settings } from '../model/settings.ts';
import { useAppState } from '../model/store.ts';
import { kinds, type RowFilter } from './timeline-rows.ts';

type Filter = Omit<RowFilter, 'by'>;

/** Toolbar of the timeline: filters and layout. */
export function TimelineToolbar({
  filter,
  onFilter,
  pausedAt,
  onPause,
  count,
}: {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  pausedAt: number | undefined;
  onPause: (at: number | undefined) => void;
  count: number;
}) {
  const appState = useAppState('connections', 'timeline');
  const connections = [...appState.connections.values()];
  const { timelineIs, timelineBy } = settings.value;
  // An empty timeline can't be opened.
  const isEmpty = isPristine(appState);
  const isOpen = timelineIs !== 'closed' && !isEmpty;
  return (
    <div class={`timeline-head ${isOpen ? '' : 'timeline'}`}>
      <Button
        class="quiet"
        aria-expanded={isOpen}
        title="t"
        disabled={isEmpty}
        onClick={() => changeSettings({ timelineIs: isOpen ? 'closed' : 'strip' })}
      >
        {isOpen ? '▾' : '▸'} Timeline <span class="dim">{isEmpty ? '' : count.toLocaleString('en')}</span>
      </Button>
      {isEmpty ? <span class="dim truncate">No events yet.</span> : null}
      {isOpen ? (
        <>
          <input
            class="input"
            type="search"
            aria-label="Search messages"
            placeholder="Search messages"
            value={filter.text}
            onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
          />
          <Select
            aria-label="Server filter"
            value={filter.connection}
            options={[
              ['', 'all servers'],
              ...connections.map((each) => [each.id, displayName(each, connections)] as const),
            ]}
            onChange={(connection) => onFilter({ ...filter, connection })}
          />
          <Select
            aria-label="Kind filter"
            value={filter.kind}
            options={kinds.map((kind) => [kind, kind === 'everything' ? 'all kinds' : kind])}
            onChange={(kind) => onFilter({ ...filter, kind })}
          />
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
          <Button
            class="quiet"
            aria-pressed={pausedAt !== undefined}
            onClick={() => onPause(pausedAt === undefined ? appState.last : undefined)}
          >
            {pausedAt === undefined
              ? 'Pause'
              : `Go on (${appState.timeline.events.length - appState.timeline.countUpTo(pausedAt)} new)`}
          </Button>
        </>
      ) : null}
      <span class="grow" />
      <RecordButton />
      {isOpen ? (
        <Button class="quiet" onClick={() => changeSettings({ timelineIs: timelineIs === 'full' ? 'strip' : 'full' })}>
          {timelineIs === 'full' ? 'Smaller' : 'Whole window'}
        </Button>
      ) : null}
    </div>
  );
}

/** Starts and stops a recording, and exports HTTP as HAR. */
function RecordButton() {
  const { recording } = useAppState('work');
  const [problem, setProblem] = useState<string | undefined>();
  if (openedRecording.value !== undefined) return null;
  const isOn = recording?.state === 'on';
  const showFailure = (what: Promise<unknown>) => {
    setProblem(undefined);
    what.catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <>
      {problem === undefined ? null : <span class="bad small">{problem}</span>}
      <Button
        class="quiet"
        aria-pressed={isOn}
        title={isOn ? recording.file : 'Writes all events to a file, including past ones'}
        onClick={() => showFailure(isOn ? request('record-stop', {}) : request('record', {}))}
      >
        <span class={isOn ? 'bad' : ''}>●</span> {isOn ? `Stop recording · ${formatBytes(recording.bytes)}` : 'Record'}
      </Button>
      <Button
        class="quiet"
        title="Save all HTTP exchanges as a HAR file"
        onClick={() => showFailure(fetchFile(apiPaths.har).then((file) => downloadFile(file, 'inspector.har')))}
      >
        HAR
      </Button>
    </>
  );
}

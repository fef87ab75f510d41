import { useMemo, useState } from 'preact/hooks';
import type { RecordingFile } from '../../shared/requests.ts';
import { Button, Checkbox, FileButton } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import type { AppState } from '../model/app-state.ts';
import { displayName } from '../model/display-name.ts';
import {
  formatSession,
  navigateToComparison,
  parsePair,
  parseSession,
  route,
  type SessionName,
} from '../model/route.ts';
import { getLiveState, useAppState } from '../model/store.ts';
import { addRecording, loadedRecordings, useRecordingFiles } from '../recordings/recordings.ts';
import { compareSessions } from './compare-sessions.ts';
import { Counts, DifferenceList } from './difference-list.tsx';
import { maxUnpaired } from './pair-calls.ts';
import { buildSession } from './session.ts';
import { type LoadedSession, useSessions } from './use-sessions.ts';

/** Compares two whole sessions: what only one has, what differs, and what is equal. */
export function ComparePage() {
  useAppState('connections', 'work');
  const files = useRecordingFiles();
  const pending = useRequest();
  const [before, after] = selectedPair();
  const pair = useSessions(before, after);
  return (
    <div class="sessions">
      <header>
        <h1>Compare two sessions</h1>
        <div class="session-choosers">
          <SessionChooser
            label="Before"
            id="session-before"
            name={before}
            files={files}
            onChoose={(name) => navigateToComparison(name, after)}
          />
          <Button aria-label="Swap both" title="Swap both" onClick={() => navigateToComparison(after, before)}>
            ⇄
          </Button>
          <SessionChooser
            label="After"
            id="session-after"
            name={after}
            files={files}
            onChoose={(name) => navigateToComparison(before, name)}
          />
          <FileButton
            aria-label="Compare with a recording from a file"
            onFile={(file) =>
              pending.run(async () => {
                await addRecording(file.name, file);
                const name = { label: '', file: file.name };
                // The selection may have changed while the file was read.
                const [left, right] = selectedPair();
                if (left === undefined) navigateToComparison(name, right);
                else navigateToComparison(left, name);
              })
            }
          >
            From a file …
          </FileButton>
        </div>
      </header>
      <ProblemBox error={pending.error ?? pair.error} />
      {pair.before === undefined || pair.after === undefined ? (
        <p class="empty-text dim">
          {pair.isBusy && before !== undefined && after !== undefined
            ? 'Reading both sessions …'
            : 'A session is everything exchanged with a server. Record one before and one after a change, or connect a server in two revisions, and select both here.'}
        </p>
      ) : (
        <Comparison before={pair.before} after={pair.after} isBusy={pair.isBusy} onAgain={pair.reload} />
      )}
    </div>
  );
}

function selectedPair(): ReturnType<typeof parsePair> {
  return parsePair(route.value.name ?? '');
}

function Comparison({
  before,
  after,
  isBusy,
  onAgain,
}: {
  before: LoadedSession;
  after: LoadedSession;
  isBusy: boolean;
  onAgain: () => void;
}) {
  const [isLoose, setLoose] = useState(false);
  const [isAll, setAll] = useState(false);
  const [query, setQuery] = useState('');
  const { parts, isRough } = useMemo(
    () =>
      compareSessions(
        buildSession(before.appState, before.connection, { isLoose }),
        buildSession(after.appState, after.connection, { isLoose }),
      ),
    [before, after, isLoose],
  );
  const items = useMemo(() => parts.flatMap((part) => part.items), [parts]);
  const isLive = before.name.file === undefined || after.name.file === undefined;
  return (
    <>
      <div class="session-bar">
        <span role="status" class="line">
          {items.every(({ verdict }) => verdict === 'same') ? <span class="ok">No differences.</span> : null}
          <Counts items={items} />
        </span>
        <input
          class="input"
          type="search"
          id="filter"
          aria-label="Filter the comparison"
          placeholder="Filter   /"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <Checkbox label="Show what is the same" checked={isAll} onChange={setAll} />
        <Checkbox
          label="Times and ids may differ"
          title="Ignores differences of times and UUIDs"
          checked={isLoose}
          onChange={setLoose}
        />
        {isLive ? (
          <Button class="quiet" disabled={isBusy} onClick={onAgain}>
            ↻ Compare again
          </Button>
        ) : null}
      </div>
      {isRough ? (
        <p class="box note-box" role="status">
          More than {maxUnpaired} calls are in one session only: calls are paired in turn by their names, which may not
          be the best way.
        </p>
      ) : null}
      <DifferenceList parts={parts} query={query} isAll={isAll} />
    </>
  );
}

/** Selects a session: of a connection, or in a recording. */
function SessionChooser({
  label,
  id,
  name,
  files,
  onChoose,
}: {
  label: string;
  id: string;
  name: SessionName | undefined;
  files: readonly RecordingFile[];
  onChoose: (name: SessionName | undefined) => void;
}) {
  const read = loadedRecordings.value;
  // A loaded recording keeps its position in the list.
  const recorded = [...new Set([...files.map(({ file }) => file), ...read.keys()])];
  const value = name === undefined ? '' : formatSession(name);
  return (
    <label class="session-chooser" for={id}>
      <span class="dim small">{label}</span>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChoose(parseSession(event.currentTarget.value))}
      >
        <option value="">Choose a session …</option>
        <optgroup label="Now">
          <Sessions appState={getLiveState()} />
        </optgroup>
        <optgroup label="Recordings">
          {recorded.map((file) => {
            const appState = read.get(file);
            return appState === undefined ? (
              <option key={file} value={formatSession({ label: name?.file === file ? name.label : '', file })}>
                {file}
              </option>
            ) : (
              <Sessions key={file} appState={appState} file={file} />
            );
          })}
        </optgroup>
      </select>
    </label>
  );
}

function Sessions({ appState, file }: { appState: AppState; file?: string }) {
  return (
    <>
      {[...appState.connections.values()].map((connection) => (
        <option key={connection.id} value={formatSession({ label: connection.label, file })}>
          {displayName(connection, appState.connections.values())}
          {connection.server === undefined ? '' : `, ${connection.server.protocolVersion}`}
          {file === undefined ? '' : ` · ${file}`}
        </option>
      ))}
    </>
  );
}

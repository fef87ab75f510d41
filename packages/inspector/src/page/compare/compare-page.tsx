import { useMemo, useState } from 'preact/hooks';
import { goTo, place } from '../model/route.ts';
import { useWorld, liveWorld } from '../model/store.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { DifferenceList } from './difference-list.tsx';
import { Counts } from './difference-list.tsx';
import type { LoadedSession } from './use-sessions.ts';
import { mostDifferences } from './pair-calls.ts';
import { keepRecording, readRecordings } from '../recordings/recordings.ts';
import { compareSessions } from './compare-sessions.ts';
import { pairNamed, pairText, type SessionName, sessionNamed, sessionText } from './session-name.ts';
import { sessionOf } from './session.ts';
import { useRecordingFiles } from '../recordings/recordings.ts';
import { useSessions } from './use-sessions.ts';
import type { World } from '../model/app-state.ts';
import type { RecordingFile } from '../../shared/requests.ts';
import { shownName } from '../model/display-name.ts';

/** Two whole sessions side by side: what is only in one, what differs, and what is the same. */
export function SessionsPage() {
  useWorld('connections', 'work');
  const files = useRecordingFiles();
  const asking = useAsking();
  const [before, after] = chosenPair();
  const choose = (left: SessionName | undefined, right: SessionName | undefined) =>
    goTo({ server: '~', section: 'compare', name: pairText(left, right) });
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
            onChoose={(name) => choose(name, after)}
          />
          <button
            type="button"
            class="button"
            aria-label="Swap both"
            title="Swap both"
            onClick={() => choose(after, before)}
          >
            ⇄
          </button>
          <SessionChooser
            label="After"
            id="session-after"
            name={after}
            files={files}
            onChoose={(name) => choose(before, name)}
          />
          <label class="button">
            From a file …
            <input
              type="file"
              class="hidden"
              aria-label="Compare with a recording from a file"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file === undefined) return;
                asking.run(async () => {
                  await keepRecording(file.name, file);
                  const name = { label: '', file: file.name };
                  // While it was read, others may have been chosen.
                  const [left, right] = chosenPair();
                  if (left === undefined) choose(name, right);
                  else choose(left, name);
                });
              }}
            />
          </label>
        </div>
      </header>
      <ProblemBox error={asking.error ?? pair.error} />
      {pair.before === undefined || pair.after === undefined ? (
        <p class="emptiness dim">
          {pair.isBusy && before !== undefined && after !== undefined
            ? 'Reading both sessions …'
            : 'A session is all that passed between the inspector and a server. Record it before a change and after it, or connect the same server in two revisions, and choose both here.'}
        </p>
      ) : (
        <Compared before={pair.before} after={pair.after} isBusy={pair.isBusy} onAgain={pair.again} />
      )}
    </div>
  );
}

function chosenPair(): ReturnType<typeof pairNamed> {
  return pairNamed(place.value.name ?? '');
}

function Compared({
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
        sessionOf(before.world, before.connection, { isLoose }),
        sessionOf(after.world, after.connection, { isLoose }),
      ),
    [before, after, isLoose],
  );
  const items = useMemo(() => parts.flatMap((part) => part.items), [parts]);
  const isLive = before.name.file === undefined || after.name.file === undefined;
  return (
    <>
      <div class="session-bar">
        <span role="status" class="line">
          {items.every(({ verdict }) => verdict === 'same') ? <span class="ok">Both are the same.</span> : null}
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
        <label>
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} /> Show what
          is the same
        </label>
        <label title="Times and UUIDs count as the same wherever they stand">
          <input type="checkbox" checked={isLoose} onChange={(event) => setLoose(event.currentTarget.checked)} /> Times
          and ids may differ
        </label>
        {isLive ? (
          <button type="button" class="quiet" disabled={isBusy} onClick={onAgain}>
            ↻ Compare again
          </button>
        ) : null}
      </div>
      {isRough ? (
        <p class="box note-box" role="status">
          More than {mostDifferences} calls are in one session only: calls are paired in turn by their names, which may
          not be the best way.
        </p>
      ) : null}
      <DifferenceList parts={parts} query={query} isAll={isAll} />
    </>
  );
}

/** Chooses a session: of a connection, or in a recording. */
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
  const read = readRecordings.value;
  // Reading one leaves it where it was.
  const recorded = [...new Set([...files.map(({ file }) => file), ...read.keys()])];
  const value = name === undefined ? '' : sessionText(name);
  return (
    <label class="session-chooser" for={id}>
      <span class="dim small">{label}</span>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChoose(sessionNamed(event.currentTarget.value))}
      >
        <option value="">Choose a session …</option>
        <optgroup label="Now">
          <Sessions world={liveWorld()} />
        </optgroup>
        <optgroup label="Recordings">
          {recorded.map((file) => {
            const world = read.get(file);
            return world === undefined ? (
              <option key={file} value={sessionText({ label: name?.file === file ? name.label : '', file })}>
                {file}
              </option>
            ) : (
              <Sessions key={file} world={world} file={file} />
            );
          })}
        </optgroup>
      </select>
    </label>
  );
}

function Sessions({ world, file }: { world: World; file?: string }) {
  return (
    <>
      {[...world.connections.values()].map((connection) => (
        <option key={connection.id} value={sessionText({ label: connection.label, file })}>
          {shownName(connection, world.connections.values())}
          {connection.server === undefined ? '' : `, ${connection.server.protocolVersion}`}
          {file === undefined ? '' : ` · ${file}`}
        </option>
      ))}
    </>
  );
}

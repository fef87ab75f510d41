import { useEffect, useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import type { Connection } from '../../shared/connections.ts';
import type { NumberedEvent } from '../../shared/events.ts';
import type { Json } from '../../shared/json.ts';
import type { ChangedDefinition, ListState } from '../../shared/lists.ts';
import { Button } from '../components/controls.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { type ChangeGroup, summarizeChanges } from '../lists/list-changes.tsx';
import { fetchJson } from '../model/api.ts';
import type { ObservedListChange } from '../model/change-history.ts';
import { navigate, openedRecording, type Route } from '../model/route.ts';

const mostNames = 12;

/** One-line summary of a list change. */
export function ListChangeSummary({ change: { pending, lists } }: { change: ObservedListChange }) {
  const parts = lists.flatMap(({ changes }) => (changes === undefined ? [] : summarizeChanges(changes)));
  const refused = lists.find(({ state }) => state === 'refused');
  return (
    <>
      {parts.map(({ sign, tone, word, names, count }, at) => (
        <span key={at} class="change-part">
          <span class={tone} role="img" aria-label={word}>
            {sign}
          </span>{' '}
          <span class="mono">{names.slice(0, mostNames).join(', ')}</span>
          {count > mostNames ? (
            <span class="dim"> and {count - Math.min(mostNames, names.length)} more</span>
          ) : null}{' '}
        </span>
      ))}
      {refused === undefined ? null : <span class="bad">✕ reload failed </span>}
      {pending.size > 0 ? <span class="dim">reloading …</span> : null}
      {pending.size === 0 && parts.length === 0 && refused === undefined ? (
        <span class="dim">no differences</span>
      ) : null}
    </>
  );
}

/** Added, removed and changed entries of the lists. */
export function ListChangeDetail({ change, connection }: { change: ObservedListChange; connection: Connection }) {
  const { pending, lists, times } = change;
  const shown = lists.filter(({ state }) => state !== 'absent');
  return (
    <>
      {times === 0 ? <p class="dim">The server did not announce this change. It was found on reload.</p> : null}
      {shown.map((list) => (
        <ChangedList key={list.kind} list={list} connection={connection} />
      ))}
      {pending.size > 0 ? <p class="dim">Asking for {[...pending].join(' and ')} again …</p> : null}
    </>
  );
}

function ChangedList({ list, connection }: { list: ListState & NumberedEvent; connection: Connection }) {
  const { kind, state, error, changes } = list;
  if (state === 'refused')
    return (
      <p class="bad">
        The server refused to list its {kind} again: {error?.message}
      </p>
    );
  const parts = changes === undefined ? [] : summarizeChanges(changes);
  if (parts.length === 0) return <p class="dim">Its {kind} are the same as before.</p>;
  return <ChangedEntries list={list} parts={parts} connection={connection} />;
}

function ChangedEntries({
  list,
  parts,
  connection,
}: {
  list: ListState & NumberedEvent;
  parts: readonly ChangeGroup[];
  connection: Connection;
}) {
  const { kind } = list;
  const { definitions, problem } = useDefinitions(list);
  const isAlone = parts.reduce((sum, { count }) => sum + count, 0) === 1;
  return (
    <section class="changed-entries" aria-label={`${kind} that changed`}>
      {problem === undefined ? null : <p class="dim">{problem}</p>}
      {parts.map((part) => (
        <ul key={part.sign}>
          {part.names.map((name) => (
            <ChangedEntry
              key={name}
              part={part}
              name={name}
              definition={definitions?.find((each) => each.name === name)}
              isLoading={definitions === undefined && problem === undefined}
              isOpenAtFirst={isAlone || (part.word === 'changed' && part.count <= 3)}
              target={part.word === 'removed' ? undefined : { server: connection.label, section: kind, name }}
            />
          ))}
          {part.count > part.names.length ? (
            <li class="dim">
              and {part.count - part.names.length} more {part.word}
            </li>
          ) : null}
        </ul>
      ))}
    </section>
  );
}

/** An entry that was added, removed or changed; expanded, its definition or diff. */
function ChangedEntry({
  part: { sign, tone, word },
  name,
  definition,
  isLoading,
  isOpenAtFirst,
  target,
}: {
  part: ChangeGroup;
  name: string;
  definition: ChangedDefinition | undefined;
  isLoading: boolean;
  isOpenAtFirst: boolean;
  /** Route of the entry. */
  target: Route | undefined;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <div class="line">
        <button type="button" class="changed-name grow" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="turn" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
          <span class={tone} role="img" aria-label={word}>
            {sign}
          </span>{' '}
          <span class="mono">{name}</span>
        </button>
        {target === undefined ? null : (
          <Button class="quiet" aria-label={`Go to it, ${name}`} onClick={() => navigate(target)}>
            Go to it
          </Button>
        )}
      </div>
      {isOpen ? <Definition definition={definition} isLoading={isLoading} /> : null}
    </li>
  );
}

function Definition({ definition, isLoading }: { definition: ChangedDefinition | undefined; isLoading: boolean }) {
  if (definition === undefined) return <p class="dim">{isLoading ? 'Loading …' : 'It was too large to store.'}</p>;
  const { before, after } = definition as { before?: Json; after?: Json };
  return before === undefined || after === undefined ? (
    <JsonTree value={after ?? before} depth={2} />
  ) : (
    <DiffView before={before} after={after} />
  );
}

/** Definitions before and after a change, while they load. */
interface LoadedDefinitions {
  readonly definitions?: readonly ChangedDefinition[];
  /** Why there are none. */
  readonly problem?: string;
}

/** Loads the definitions before and after this version of a list, or takes them from the recording. */
function useDefinitions({ n, changes }: ListState & NumberedEvent): LoadedDefinitions {
  const [loaded, setLoaded] = useState<LoadedDefinitions>({});
  const isRecorded = openedRecording.value !== undefined;
  useEffect(() => {
    if (isRecorded) return;
    fetchJson<{ text: string }>(apiPaths.message(n)).then(
      ({ text }) => setLoaded({ definitions: JSON.parse(text) as readonly ChangedDefinition[] }),
      () =>
        setLoaded({
          problem: 'The previous version is no longer available: older changes are dropped to limit memory.',
        }),
    );
  }, [n, isRecorded]);
  if (!isRecorded) return loaded;
  const { definitions } = changes ?? {};
  return definitions === undefined ? { problem: 'The previous version is not in this recording.' } : { definitions };
}

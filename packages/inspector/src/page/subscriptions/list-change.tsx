import type { Connection } from '../../shared/connections.ts';
import type { Numbered } from '../../shared/events.ts';
import type { ListState, ChangedDefinition } from '../../shared/lists.ts';
import { type ChangePart, changeParts } from '../lists/list-changes.tsx';
import type { HeardList } from '../model/change-history.ts';
import { useState, useEffect } from 'preact/hooks';
import { DifferenceView } from '../diff/diff-view.tsx';
import type { Json } from '../form/json.ts';
import { goTo, type Place } from '../model/route.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { addresses } from '../../shared/api-paths.ts';
import { get } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';

const mostNames = 12;

/** What came of a change of lists, in a line. */
export function ListSummary({ heard: { awaited, lists } }: { heard: HeardList }) {
  const parts = lists.flatMap(({ changes }) => (changes === undefined ? [] : changeParts(changes)));
  const refused = lists.find(({ state }) => state === 'refused');
  return (
    <>
      {parts.map(({ sign, tone, word, names, count }, at) => (
        <span key={at} class="heard-part">
          <span class={tone} role="img" aria-label={word}>
            {sign}
          </span>{' '}
          <span class="mono">{names.slice(0, mostNames).join(', ')}</span>
          {count > mostNames ? (
            <span class="dim"> and {count - Math.min(mostNames, names.length)} more</span>
          ) : null}{' '}
        </span>
      ))}
      {refused === undefined ? null : <span class="bad">✕ it was refused when it was asked for again </span>}
      {awaited.size > 0 ? <span class="dim">asking for it again …</span> : null}
      {awaited.size === 0 && parts.length === 0 && refused === undefined ? (
        <span class="dim">nothing in it differs</span>
      ) : null}
    </>
  );
}

/** What came, went and changed in lists, each with what it says. */
export function ListDifference({ heard, connection }: { heard: HeardList; connection: Connection }) {
  const { awaited, lists, times } = heard;
  const shown = lists.filter(({ state }) => state !== 'absent');
  return (
    <>
      {times === 0 ? (
        <p class="dim">The server said nothing of it. It was found when the list was asked for again.</p>
      ) : null}
      {shown.map((list) => (
        <OneList key={list.kind} list={list} connection={connection} />
      ))}
      {awaited.size > 0 ? <p class="dim">Asking for {[...awaited].join(' and ')} again …</p> : null}
    </>
  );
}

function OneList({ list, connection }: { list: ListState & Numbered; connection: Connection }) {
  const { kind, state, error, changes } = list;
  if (state === 'refused')
    return (
      <p class="bad">
        The server refused to list its {kind} again: {error?.says}
      </p>
    );
  const parts = changes === undefined ? [] : changeParts(changes);
  if (parts.length === 0) return <p class="dim">Its {kind} are the same as before.</p>;
  return <ChangedEntries list={list} parts={parts} connection={connection} />;
}

function ChangedEntries({
  list,
  parts,
  connection,
}: {
  list: ListState & Numbered;
  parts: readonly ChangePart[];
  connection: Connection;
}) {
  const { kind } = list;
  const { definitions, problem } = useDefinitions(list);
  const isAlone = parts.reduce((sum, { count }) => sum + count, 0) === 1;
  return (
    <section class="heard-entries" aria-label={`${kind} that changed`}>
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
              place={part.word === 'went' ? undefined : { server: connection.label, section: kind, name }}
            />
          ))}
          {part.count > part.names.length ? (
            <li class="dim">
              and {part.count - part.names.length} more that {part.word}
            </li>
          ) : null}
        </ul>
      ))}
    </section>
  );
}

/** An entry that came, went or changed: its name, and opened what it says, or where that differs. */
function ChangedEntry({
  part: { sign, tone, word },
  name,
  definition,
  isLoading,
  isOpenAtFirst,
  place,
}: {
  part: ChangePart;
  name: string;
  definition: ChangedDefinition | undefined;
  isLoading: boolean;
  isOpenAtFirst: boolean;
  /** Where it is now. */
  place: Place | undefined;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <div class="line">
        <button type="button" class="heard-name grow" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="turn" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
          <span class={tone} role="img" aria-label={word}>
            {sign}
          </span>{' '}
          <span class="mono">{name}</span>
        </button>
        {place === undefined ? null : (
          <button type="button" class="quiet" aria-label={`Go to it, ${name}`} onClick={() => goTo(place)}>
            Go to it
          </button>
        )}
      </div>
      {isOpen ? <Definition definition={definition} isLoading={isLoading} /> : null}
    </li>
  );
}

function Definition({ definition, isLoading }: { definition: ChangedDefinition | undefined; isLoading: boolean }) {
  if (definition === undefined)
    return <p class="dim">{isLoading ? 'Loading …' : 'What it says was too much to be kept.'}</p>;
  const { before, after } = definition as { before?: Json; after?: Json };
  return before === undefined || after === undefined ? (
    <JsonTree value={after ?? before} depth={2} />
  ) : (
    <DifferenceView before={before} after={after} />
  );
}

/** How changed entries were and are, as far as that has come. */
interface LoadedDefinitions {
  readonly definitions?: readonly ChangedDefinition[];
  /** Why there is nothing. */
  readonly problem?: string;
}

/** How the entries were and are that changed with this version of a list: got when they are wanted, or in the recording. */
function useDefinitions({ n, changes }: ListState & Numbered): LoadedDefinitions {
  const [loaded, setLoaded] = useState<LoadedDefinitions>({});
  const isRecorded = openedRecording.value !== undefined;
  useEffect(() => {
    if (isRecorded) return;
    get<{ text: string }>(addresses.message(n)).then(
      ({ text }) => setLoaded({ definitions: JSON.parse(text) as readonly ChangedDefinition[] }),
      () => setLoaded({ problem: 'How it was is not known any more: older changes are given up to bound memory.' }),
    );
  }, [n, isRecorded]);
  if (!isRecorded) return loaded;
  const { definitions } = changes ?? {};
  return definitions === undefined ? { problem: 'How it was is not in this recording.' } : { definitions };
}

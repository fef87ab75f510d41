import type { Connection } from '../../shared/connections.ts';
import type { Numbered } from '../../shared/events.ts';
import type { ListState } from '../../shared/lists.ts';
import { type ChangePart, changeParts } from '../lists/change-parts.ts';
import type { HeardList } from '../model/heard.ts';
import { ChangedEntry } from './changed-entry.tsx';
import { useDefinitions } from './use-definitions.ts';

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
  return <Entries list={list} parts={parts} connection={connection} />;
}

function Entries({
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

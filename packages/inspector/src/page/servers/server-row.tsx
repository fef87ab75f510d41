import type { Connection } from '../../shared/connections.ts';
import { goTo, place } from '../model/place.ts';
import { firstSection } from '../model/sections.ts';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import { looks, StatusMark } from '../parts/status-mark.tsx';
import { SectionList } from './section-list.tsx';

/** A connection with its status; the chosen one has its sections below. */
export function ServerRow({ connection, isChosen }: { connection: Connection; isChosen: boolean }) {
  const { label, detail, status, server } = connection;
  const { questions, connections, byItself } = useWorld('questions', 'connections');
  const name = shownName(connection, connections.values());
  const open = [...questions.values()].some(
    ({ question, end }) => question.connection === connection.id && end === undefined,
  );
  const word = status.is === 'connected' ? (server?.protocolVersion ?? '') : looks[status.is].word;
  return (
    <li>
      <button
        type="button"
        class="server-row"
        aria-current={isChosen ? 'true' : undefined}
        title={name === detail ? undefined : detail}
        onClick={() => goTo({ server: label, section: firstSection(connection) })}
      >
        <StatusMark status={status} />
        <span class="grow cut">{name}</span>
        {open ? (
          <span class="tag note">asks</span>
        ) : byItself.get(connection.id)?.on ? (
          <span class="tag note" title="A model answers what it asks, without you">
            by itself
          </span>
        ) : (
          <span class="dim small server-word">{word}</span>
        )}
      </button>
      {isChosen || place.value.server === undefined ? <SectionList connection={connection} /> : null}
    </li>
  );
}

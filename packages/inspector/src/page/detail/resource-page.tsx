import type { Connection } from '../../shared/connections.ts';
import type { Entry } from '../model/entries.ts';
import { textOf } from '../listen/wish.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo } from '../model/place.ts';
import { size } from '../parts/figures.ts';
import { type Callable, CallButton, CallResults, useCalls } from './call-panel.tsx';
import { EntryHead } from './entry-head.tsx';

/** A resource: what it is, and what it says when it is read. */
export function ResourcePage({ connection, entry }: { connection: Connection; entry: Entry }) {
  const { id, raw } = entry;
  const callable: Callable = { connection, method: 'resources/read', subject: id, params: { uri: id }, verb: 'Read' };
  const calls = useCalls(callable);
  const marks: (readonly [string, string])[] = [];
  if (typeof raw.mimeType === 'string') marks.push([raw.mimeType, '']);
  if (typeof raw.size === 'number') marks.push([size(raw.size), '']);
  return (
    <article class="detail">
      <EntryHead entry={entry} marks={marks} button={<CallButton verb="Read" calls={calls} />} />
      {openedRecording.value === undefined ? (
        <div>
          <button
            type="button"
            class="quiet"
            onClick={() => goTo({ server: connection.label, section: 'listen', args: textOf({ lists: [], uris: id }) })}
          >
            Listen for changes of it
          </button>
        </div>
      ) : null}
      <CallResults calls={calls} callable={callable} />
    </article>
  );
}

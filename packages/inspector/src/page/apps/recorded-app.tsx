import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import type { Entry } from '../model/entries.ts';
import type { Call } from '../model/app-state.ts';
import { AppPanel } from './app-panel.tsx';

/** The view of a call in a recording: shown when somebody wants it, since a recording may be anybody's. */
export function RecordedApp({ connection, entry, call }: { connection: Connection; entry: Entry; call: Call }) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return <AppPanel connection={connection} entry={entry} call={call} />;
  return (
    <div class="box line">
      <span class="grow">
        This call had a view. It is shown again with what it was told then, in the same sandbox, and its calls are
        answered from the recording.
      </span>
      <button type="button" class="button" onClick={() => setWanted(true)}>
        Show the view
      </button>
    </div>
  );
}

import type { Connection } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { goTo } from '../model/place.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

/** Says beside the lists of a server that it is not there now, and what can be done about it. */
export function ConnectionLine({ connection: { id, label, status } }: { connection: Connection }) {
  const asking = useAsking();
  if (status.is === 'connected' || openedRecording.value !== undefined) return null;
  const says = 'says' in status ? status.says : 'Not connected.';
  return (
    <div class={`connection-line ${status.is === 'failed' ? 'is-bad' : ''}`} role="status" aria-label="Connection">
      <StatusMark status={status} />
      <span class="grow">{says}</span>
      <button type="button" class="quiet" onClick={() => goTo({ server: label, section: 'server' })}>
        Why
      </button>
      {status.is === 'connecting' ? null : (
        <button
          type="button"
          class="button"
          disabled={asking.busy}
          onClick={() => asking.run(() => ask('reconnect', { connection: id }))}
        >
          Connect again
        </button>
      )}
      <ProblemBox error={asking.error} />
    </div>
  );
}

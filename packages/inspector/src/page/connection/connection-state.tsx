import type { Connection } from '../../shared/connections.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { ExchangeView } from './exchange-view.tsx';
import { ask } from '../model/api.ts';
import { goTo } from '../model/route.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { StatusMark } from '../components/status-icon.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';

const steps = {
  start: 'Starting the program',
  reach: 'Reaching the server',
  'sign-in': 'Signing in',
  agree: 'Agreeing on a revision',
};

/** What a connection that is not simply there waits for, or why it failed. */
export function ConnectionState({ connection: { status } }: { connection: Connection }) {
  switch (status.is) {
    case 'connecting':
      return (
        <div class="box block" role="status">
          <p>
            <strong>{steps[status.step]}</strong> · <Elapsed since={status.since} />
          </p>
          {status.says === steps[status.step] ? null : <p class="dim">{status.says}</p>}
        </div>
      );
    case 'reconnecting':
      return (
        <div class="box note-box block" role="status">
          <p>
            <strong>The connection was lost.</strong> Try {status.attempt} · <Elapsed since={status.since} />
          </p>
          <p>{status.says}</p>
        </div>
      );
    case 'needs-sign-in':
      return (
        <div class="box note-box block" role="alert">
          <p>
            <strong>{status.says}</strong>
          </p>
          <p>{status.advice}</p>
          <Exchanges ids={status.exchanges} />
        </div>
      );
    case 'failed':
      return (
        <div class="box bad-box block" role="alert">
          <p>
            <strong>{status.says}</strong>
          </p>
          <p>{status.advice}</p>
          {status.stderr === undefined || status.stderr === '' ? null : (
            <>
              <p class="dim">Its last words on stderr:</p>
              <pre>{status.stderr}</pre>
            </>
          )}
          <Exchanges ids={status.exchanges} />
        </div>
      );
    default:
      return null;
  }
}

// More than these are closed at first: they are often the same request in other words.
const fewExchanges = 2;

/** The raw exchanges behind something; the last is the telling one. */
export function Exchanges({ ids }: { ids: readonly string[] }) {
  const all = ids.map((id) => <ExchangeView key={id} id={id} />);
  if (ids.length <= fewExchanges) return <>{all}</>;
  return (
    <details>
      <summary class="dim">{ids.length} requests</summary>
      <div class="exchanges">{all}</div>
    </details>
  );
}

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

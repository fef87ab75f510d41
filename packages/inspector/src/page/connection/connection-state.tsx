import type { Connection } from '../../shared/connections.ts';
import { Elapsed } from '../components/elapsed.tsx';
import { ExchangeView } from './exchange-view.tsx';
import { request } from '../model/api.ts';
import { navigate } from '../model/route.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { StatusIcon } from '../components/status-icon.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';

const steps = {
  start: 'Starting the program',
  reach: 'Connecting to the server',
  'sign-in': 'Signing in',
  agree: 'Negotiating a revision',
};

/** What a connection waits for, or why it failed. */
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
              <p class="dim">Last lines of stderr:</p>
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

// More exchanges than this start collapsed: they often repeat one request.
const maxExpanded = 2;

/** Raw HTTP exchanges behind a result; the last is the decisive one. */
export function Exchanges({ ids }: { ids: readonly string[] }) {
  const all = ids.map((id) => <ExchangeView key={id} id={id} />);
  if (ids.length <= maxExpanded) return <>{all}</>;
  return (
    <details>
      <summary class="dim">{ids.length} requests</summary>
      <div class="exchanges">{all}</div>
    </details>
  );
}

/** Banner beside the lists of a disconnected server, with a reconnect button. */
export function ConnectionBanner({ connection: { id, label, status } }: { connection: Connection }) {
  const pending = useRequest();
  if (status.is === 'connected' || openedRecording.value !== undefined) return null;
  const says = 'says' in status ? status.says : 'Not connected.';
  return (
    <div class={`connection-line ${status.is === 'failed' ? 'is-bad' : ''}`} role="status" aria-label="Connection">
      <StatusIcon status={status} />
      <span class="grow">{says}</span>
      <button type="button" class="quiet" onClick={() => navigate({ server: label, section: 'server' })}>
        Why
      </button>
      {status.is === 'connecting' ? null : (
        <button
          type="button"
          class="button"
          disabled={pending.busy}
          onClick={() => pending.run(() => request('reconnect', { connection: id }))}
        >
          Reconnect
        </button>
      )}
      <ProblemBox error={pending.error} />
    </div>
  );
}

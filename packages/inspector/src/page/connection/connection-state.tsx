import type { Connection } from '../../shared/connections.ts';
import { Button } from '../components/controls.tsx';
import { Elapsed, StatusIcon } from '../components/status.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import { navigate, openedRecording } from '../model/route.ts';
import { Exchanges } from './exchange-view.tsx';

const steps = {
  start: 'Starting the program',
  reach: 'Connecting to the server',
  'sign-in': 'Signing in',
  agree: 'Negotiating a revision',
};

/** The pending step of a connection, or its failure. */
export function ConnectionState({ connection: { status } }: { connection: Connection }) {
  switch (status.is) {
    case 'connecting':
      return (
        <div class="box block" role="status">
          <p>
            <strong>{steps[status.step]}</strong> · <Elapsed since={status.since} />
          </p>
          {status.message === steps[status.step] ? null : <p class="dim">{status.message}</p>}
        </div>
      );
    case 'reconnecting':
      return (
        <div class="box note-box block" role="status">
          <p>
            <strong>The connection was lost.</strong> Try {status.attempt} · <Elapsed since={status.since} />
          </p>
          <p>{status.message}</p>
        </div>
      );
    case 'needs-sign-in':
      return (
        <div class="box note-box block" role="alert">
          <p>
            <strong>{status.message}</strong>
          </p>
          <p>{status.advice}</p>
          <Exchanges ids={status.exchanges} />
        </div>
      );
    case 'failed':
      return (
        <div class="box bad-box block" role="alert">
          <p>
            <strong>{status.message}</strong>
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

/** Banner beside the lists of a disconnected server, with a reconnect button. */
export function ConnectionBanner({ connection: { id, label, status } }: { connection: Connection }) {
  const pending = useRequest();
  if (status.is === 'connected' || openedRecording.value !== undefined) return null;
  const message = 'message' in status ? status.message : 'Not connected.';
  return (
    <div class={`connection-line ${status.is === 'failed' ? 'is-bad' : ''}`} role="status" aria-label="Connection">
      <StatusIcon status={status} />
      <span class="grow">{message}</span>
      <Button class="quiet" onClick={() => navigate({ server: label, section: 'server' })}>
        Why
      </Button>
      {status.is === 'connecting' ? null : (
        <Button pending={pending} run={() => request('reconnect', { connection: id })}>
          Reconnect
        </Button>
      )}
      <ProblemBox error={pending.error} />
    </div>
  );
}

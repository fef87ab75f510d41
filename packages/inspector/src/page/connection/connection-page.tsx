import type { Connection, ConnectionSettings } from '../../shared/connections.ts';
import { request } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { navigate } from '../model/route.ts';
import { LiveOnly } from '../components/live-only.tsx';
import { displayName } from '../model/display-name.ts';
import { useAppState } from '../model/store.ts';
import { ConnectionModel } from '../questions/model-settings.tsx';
import { statusStyles, StatusIcon } from '../components/status-icon.tsx';
import { useRequest } from '../components/use-request.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { Comparison } from './comparison.tsx';
import { ConnectionState } from './connection-state.tsx';
import { DoctorSteps } from './doctor-steps.tsx';
import { ServerFacts } from './server-facts.tsx';
import { ServerWarnings } from './server-facts.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useState } from 'preact/hooks';
import { ConfirmStart } from '../server-list/connect.tsx';
import { ConnectionSettingsForm } from '../server-list/connection-settings-form.tsx';
import { useConnect } from '../server-list/connect.tsx';

/** Everything about a connection: status, server info, problems, settings. */
export function ConnectionPage({ connection }: { connection: Connection }) {
  const { id, detail, status } = connection;
  const { connections, doctorRuns } = useAppState('connections', 'findings');
  const name = displayName(connection, connections.values());
  const pending = useRequest();
  const isRecorded = openedRecording.value !== undefined;
  // The doctor explains the failure better.
  const isExplained =
    status.is === 'failed' &&
    [...doctorRuns.values()].findLast(({ start }) => start.connection === id)?.end?.problem !== undefined;
  return (
    <div class="page">
      <header>
        <StatusIcon status={status} />
        <h1>{name}</h1>
        <span class="dim">{statusStyles[status.is].word}</span>
        <code class="dim grow cut" title={detail}>
          {detail === name ? '' : detail}
        </code>
        {isRecorded ? (
          <span class="tag note">recorded</span>
        ) : (
          <>
            <button
              type="button"
              class="button"
              disabled={pending.busy}
              onClick={() => pending.run(() => request('reconnect', { connection: id }))}
            >
              Reconnect
            </button>
            {status.is === 'closed' || status.is === 'failed' ? null : (
              <button
                type="button"
                class="button"
                disabled={pending.busy}
                onClick={() => pending.run(() => request('disconnect', { connection: id }))}
              >
                {status.is === 'connecting' ? 'Cancel' : 'Disconnect'}
              </button>
            )}
            <button
              type="button"
              class="button"
              disabled={pending.busy}
              onClick={() =>
                pending.run(async () => {
                  await request('forget', { connection: id });
                  navigate({});
                })
              }
            >
              Forget
            </button>
          </>
        )}
      </header>
      <ProblemBox error={pending.error} />
      {isExplained ? null : <ConnectionState connection={connection} />}
      <LiveOnly>
        <SignInSteps connection={connection} />
        <DoctorSteps connection={connection} />
        <ServerWarnings connection={id} />
        {connection.server === undefined ? null : <ServerFacts connection={connection} facts={connection.server} />}
      </LiveOnly>
      {isRecorded ? null : (
        <>
          <OtherSettings connection={connection} />
          <ConnectionModel connection={connection} />
        </>
      )}
      <Comparison connection={connection} />
    </div>
  );
}

/** Connects the same server with other settings: in place of this connection, or in addition. */
function OtherSettings({ connection }: { connection: Connection }) {
  const [settings, setTerms] = useState<ConnectionSettings>(connection.terms);
  const pending = useRequest();
  const { connect, start, cancel, confirmation, ...beside } = useConnect({ terms: settings });
  const destination = connection.target === undefined ? { typed: connection.detail } : { target: connection.target };
  const busy = pending.busy || beside.busy;
  return (
    <details>
      <summary>Other connection settings</summary>
      <div class="block">
        <ConnectionSettingsForm settings={settings} onChange={setTerms} />
        <div class="line">
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => pending.run(() => request('reconnect', { connection: connection.id, terms: settings }))}
          >
            Reconnect with these settings
          </button>
          <button type="button" class="button" disabled={busy} onClick={() => connect(destination)}>
            Connect in addition
          </button>
        </div>
        {confirmation === undefined ? null : (
          <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
        )}
        <ProblemBox error={pending.error ?? beside.error} />
      </div>
    </details>
  );
}

import { useState } from 'preact/hooks';
import type { Connection, ConnectionSettings } from '../../shared/connections.ts';
import { Button, LiveOnly } from '../components/controls.tsx';
import { StatusIcon, statusStyles } from '../components/status.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import { displayName } from '../model/display-name.ts';
import { navigate, openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { ConnectionModel } from '../questions/model-settings.tsx';
import { ConfirmStart, useConnect } from '../server-list/connect.tsx';
import { ConnectionSettingsForm } from '../server-list/connection-settings-form.tsx';
import { Comparison } from './comparison.tsx';
import { ConnectionState } from './connection-state.tsx';
import { DoctorSteps } from './doctor-steps.tsx';
import { HeldBack } from './held-back.tsx';
import { ServerFacts, ServerWarnings } from './server-facts.tsx';
import { SignInSteps } from './sign-in-steps.tsx';

/** Everything about a connection: status, server info, problems, settings. */
export function ConnectionPage({ connection }: { connection: Connection }) {
  const { id, detail, status } = connection;
  const { connections, diagnostics } = useAppState('connections', 'findings');
  const name = displayName(connection, connections.values());
  const pending = useRequest();
  const isRecorded = openedRecording.value !== undefined;
  // The doctor explains the failure better.
  const isExplained =
    status.is === 'failed' &&
    [...diagnostics.doctorRuns.values()].findLast(({ start }) => start.connection === id)?.end?.problem !== undefined;
  return (
    <div class="page">
      <header>
        <StatusIcon status={status} />
        <h1>{name}</h1>
        <span class="dim">{statusStyles[status.is].word}</span>
        <code class="dim grow truncate" title={detail}>
          {detail === name ? '' : detail}
        </code>
        {isRecorded ? (
          <span class="tag note">recorded</span>
        ) : (
          <>
            <Button pending={pending} run={() => request('reconnect', { connection: id })}>
              Reconnect
            </Button>
            {status.is === 'closed' || status.is === 'failed' ? null : (
              <Button pending={pending} run={() => request('disconnect', { connection: id })}>
                {status.is === 'connecting' ? 'Cancel' : 'Disconnect'}
              </Button>
            )}
            <Button
              pending={pending}
              run={async () => {
                await request('forget', { connection: id });
                navigate({});
              }}
            >
              Forget
            </Button>
          </>
        )}
      </header>
      <ProblemBox error={pending.error} />
      {isExplained ? null : <ConnectionState connection={connection} />}
      <LiveOnly>
        <SignInSteps connection={connection} />
        <DoctorSteps connection={connection} />
        <HeldBack connection={id} />
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
  const [settings, setSettings] = useState<ConnectionSettings>(connection.settings);
  const pending = useRequest();
  const { connect, start, cancel, confirmation, ...addition } = useConnect({ settings });
  const destination = connection.target === undefined ? { typed: connection.detail } : { target: connection.target };
  const busy = pending.busy || addition.busy;
  return (
    <details>
      <summary>Other connection settings</summary>
      <div class="block">
        <ConnectionSettingsForm settings={settings} onChange={setSettings} />
        <div class="line">
          <Button
            disabled={busy}
            onClick={() => pending.run(() => request('reconnect', { connection: connection.id, settings }))}
          >
            Reconnect with these settings
          </Button>
          <Button disabled={busy} onClick={() => connect(destination)}>
            Connect in addition
          </Button>
        </div>
        {confirmation === undefined ? null : (
          <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
        )}
        <ProblemBox error={pending.error ?? addition.error} />
      </div>
    </details>
  );
}

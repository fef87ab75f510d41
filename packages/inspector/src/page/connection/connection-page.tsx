import type { Connection, ConnectionTerms } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo } from '../model/route.ts';
import { LiveOnly } from '../components/live-only.tsx';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { ModelOfConnection } from '../questions/model-settings.tsx';
import { looks, StatusMark } from '../components/status-icon.tsx';
import { useAsking } from '../components/use-request.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { Comparison } from './comparison.tsx';
import { ConnectionState } from './connection-state.tsx';
import { DoctorSteps } from './doctor-steps.tsx';
import { ServerFacts } from './server-facts.tsx';
import { ServerWarnings } from './server-facts.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useState } from 'preact/hooks';
import { ConfirmStart } from '../server-list/connect.tsx';
import { TermsForm } from '../server-list/connection-settings-form.tsx';
import { useConnecting } from '../server-list/connect.tsx';

/** Everything about a connection: how it is, what the server says of itself, what is wrong. */
export function ConnectionPage({ connection }: { connection: Connection }) {
  const { id, detail, status } = connection;
  const { connections, examinations } = useWorld('connections', 'findings');
  const name = shownName(connection, connections.values());
  const asking = useAsking();
  const isRecorded = openedRecording.value !== undefined;
  // The doctor knows better why it failed.
  const isExplained =
    status.is === 'failed' &&
    [...examinations.values()].findLast(({ start }) => start.connection === id)?.end?.problem !== undefined;
  return (
    <div class="page">
      <header>
        <StatusMark status={status} />
        <h1>{name}</h1>
        <span class="dim">{looks[status.is].word}</span>
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
              disabled={asking.busy}
              onClick={() => asking.run(() => ask('reconnect', { connection: id }))}
            >
              Connect again
            </button>
            {status.is === 'closed' || status.is === 'failed' ? null : (
              <button
                type="button"
                class="button"
                disabled={asking.busy}
                onClick={() => asking.run(() => ask('disconnect', { connection: id }))}
              >
                {status.is === 'connecting' ? 'Cancel' : 'Disconnect'}
              </button>
            )}
            <button
              type="button"
              class="button"
              disabled={asking.busy}
              onClick={() =>
                asking.run(async () => {
                  await ask('forget', { connection: id });
                  goTo({});
                })
              }
            >
              Forget
            </button>
          </>
        )}
      </header>
      <ProblemBox error={asking.error} />
      {isExplained ? null : <ConnectionState connection={connection} />}
      <LiveOnly>
        <SignInSteps connection={connection} />
        <DoctorSteps connection={connection} />
        <ServerWarnings connection={id} />
        {connection.server === undefined ? null : <ServerFacts connection={connection} facts={connection.server} />}
      </LiveOnly>
      {isRecorded ? null : (
        <>
          <OtherTerms connection={connection} />
          <ModelOfConnection connection={connection} />
        </>
      )}
      <Comparison connection={connection} />
    </div>
  );
}

/** The same server in another revision or with other headers: instead of this connection, or beside it. */
function OtherTerms({ connection }: { connection: Connection }) {
  const [terms, setTerms] = useState<ConnectionTerms>(connection.terms);
  const asking = useAsking();
  const { connect, start, cancel, confirmation, ...beside } = useConnecting({ terms });
  const destination = connection.target === undefined ? { typed: connection.detail } : { target: connection.target };
  const busy = asking.busy || beside.busy;
  return (
    <details>
      <summary>Another revision, other headers</summary>
      <div class="block">
        <TermsForm terms={terms} onChange={setTerms} />
        <div class="line">
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => asking.run(() => ask('reconnect', { connection: connection.id, terms }))}
          >
            Connect again like this
          </button>
          <button type="button" class="button" disabled={busy} onClick={() => connect(destination)}>
            Connect beside it
          </button>
        </div>
        {confirmation === undefined ? null : (
          <ConfirmStart confirmation={confirmation} busy={busy} onStart={start} onCancel={cancel} />
        )}
        <ProblemBox error={asking.error ?? beside.error} />
      </div>
    </details>
  );
}

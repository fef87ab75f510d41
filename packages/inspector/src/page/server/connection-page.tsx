import type { Connection } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo } from '../model/place.ts';
import { LiveOnly } from '../parts/live-only.tsx';
import { shownName } from '../model/shown-name.ts';
import { useWorld } from '../model/state.ts';
import { ModelOfConnection } from '../questions/model-of-connection.tsx';
import { looks, StatusMark } from '../parts/status-mark.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { Comparison } from './comparison.tsx';
import { ConnectionState } from './connection-state.tsx';
import { DoctorSteps } from './doctor-steps.tsx';
import { OtherTerms } from './other-terms.tsx';
import { ServerFacts } from './server-facts.tsx';
import { ServerWarnings } from './server-warnings.tsx';
import { SignInSteps } from './sign-in-steps.tsx';

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

import { apiPaths } from '../../shared/api-paths.ts';
import { request, fetchFile } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { navigate } from '../model/route.ts';
import { displayName } from '../model/display-name.ts';
import { useAppState } from '../model/store.ts';
import { formatBytes } from '../components/format.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { stringOrEmpty } from '../form/json.ts';
import { useRequest } from '../components/use-request.ts';
import { formatPair } from '../compare/session-name.ts';
import { useRecordingFiles } from './recordings.ts';
import { openRecording } from './recordings.ts';
import { downloadFile } from './record-button.tsx';
import { editRequest } from '../replay/replay.ts';

/** Saved requests and recordings. */
export function LibraryPage() {
  const { collection, connections } = useAppState('work', 'connections');
  const files = useRecordingFiles();
  const pending = useRequest();
  const connected = [...connections.values()].filter(({ status }) => status.is === 'connected');
  const requests = collection?.requests ?? [];
  return (
    <div class="page">
      <header>
        <h1 class="grow">Saved and recorded</h1>
        <button type="button" class="button" onClick={() => navigate({ server: '~', section: 'compare' })}>
          Compare two sessions
        </button>
      </header>
      <ProblemBox error={pending.error ?? collection?.problem} />
      {openedRecording.value !== undefined ? null : (
        <section class="block" aria-label="Saved requests">
          <h2>Saved requests</h2>
          {requests.length === 0 ? (
            <p class="dim">
              <strong>Save</strong> under a result puts a call here, into a file of the project.
            </p>
          ) : (
            <p class="dim mono small">{collection?.file}</p>
          )}
          <ul class="library">
            {requests.map(({ id, name, target, method, params }) => {
              const there = connected.find(({ label }) => label === target) ?? connected[0];
              return (
                <li key={id} class="line">
                  <span class="grow cut">
                    {name} <span class="dim small">{target}</span>{' '}
                    <code class="dim cut">
                      {stringOrEmpty(params.name) || method} {JSON.stringify(params.arguments ?? params)}
                    </code>
                  </span>
                  {there === undefined ? null : (
                    <>
                      <button
                        type="button"
                        class="quiet"
                        onClick={() => pending.run(() => request('call', { connection: there.id, method, params }))}
                      >
                        Call on {displayName(there, connections.values())}
                      </button>
                      <button
                        type="button"
                        class="quiet"
                        onClick={() => pending.run(() => editRequest(there.label, method, params))}
                      >
                        Edit
                      </button>
                    </>
                  )}
                  <button type="button" class="quiet" onClick={() => pending.run(() => request('unsave', { id }))}>
                    Remove
                  </button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <section class="block" aria-label="Recordings">
        <h2>Recordings</h2>
        {files.length > 0 ? null : (
          <p class="dim">
            <strong>Record</strong> in the timeline writes all that happens to a file, which is listed here and can be
            opened anywhere.
          </p>
        )}
        <ul class="library">
          {files.map(({ file, bytes, at }) => (
            <li key={file} class="line">
              <span class="grow cut mono small">{file}</span>
              <span class="dim small">
                {formatBytes(bytes)} · {new Date(at).toLocaleString()}
              </span>
              <button
                type="button"
                class="quiet"
                onClick={() =>
                  pending.run(async () =>
                    openRecording(file, await fetchFile(apiPaths.recording(file)), { isOfFolder: true }),
                  )
                }
              >
                Open
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() =>
                  navigate({ server: '~', section: 'compare', name: formatPair({ label: '', file }, undefined) })
                }
              >
                Compare
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() => pending.run(async () => downloadFile(await fetchFile(apiPaths.recording(file)), file))}
              >
                Save a copy
              </button>
            </li>
          ))}
        </ul>
        <div>
          <label class="button">
            Open a recording from a file …
            <input
              type="file"
              class="hidden"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file !== undefined) pending.run(() => openRecording(file.name, file));
              }}
            />
          </label>
        </div>
      </section>
    </div>
  );
}

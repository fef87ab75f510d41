import { apiPaths } from '../../shared/api-paths.ts';
import { stringOrEmpty } from '../../shared/json.ts';
import { Button, FileButton } from '../components/controls.tsx';
import { formatBytes } from '../components/format.ts';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { downloadFile, fetchFile, request } from '../model/api.ts';
import { displayName } from '../model/display-name.ts';
import { editRequest } from '../model/replay.ts';
import { navigate, navigateToComparison, openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { openRecording, useRecordingFiles } from './recordings.ts';

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
        <Button onClick={() => navigate({ server: '~', section: 'compare' })}>Compare two sessions</Button>
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
                  <span class="grow truncate">
                    {name} <span class="dim small">{target}</span>{' '}
                    <code class="dim truncate">
                      {stringOrEmpty(params.name) || method} {JSON.stringify(params.arguments ?? params)}
                    </code>
                  </span>
                  {there === undefined ? null : (
                    <>
                      <Button
                        class="quiet"
                        onClick={() => pending.run(() => request('call', { connection: there.id, method, params }))}
                      >
                        Call on {displayName(there, connections.values())}
                      </Button>
                      <Button class="quiet" onClick={() => pending.run(() => editRequest(there.label, method, params))}>
                        Edit
                      </Button>
                    </>
                  )}
                  <Button class="quiet" onClick={() => pending.run(() => request('unsave', { id }))}>
                    Remove
                  </Button>
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
              <span class="grow truncate mono small">{file}</span>
              <span class="dim small">
                {formatBytes(bytes)} · {new Date(at).toLocaleString()}
              </span>
              <Button
                class="quiet"
                onClick={() =>
                  pending.run(async () =>
                    openRecording(file, await fetchFile(apiPaths.recording(file)), { isOfFolder: true }),
                  )
                }
              >
                Open
              </Button>
              <Button class="quiet" onClick={() => navigateToComparison({ label: '', file })}>
                Compare
              </Button>
              <Button
                class="quiet"
                onClick={() => pending.run(async () => downloadFile(await fetchFile(apiPaths.recording(file)), file))}
              >
                Save a copy
              </Button>
            </li>
          ))}
        </ul>
        <div>
          <FileButton onFile={(file) => pending.run(() => openRecording(file.name, file))}>
            Open a recording from a file …
          </FileButton>
        </div>
      </section>
    </div>
  );
}

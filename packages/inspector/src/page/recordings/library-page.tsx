import { addresses } from '../../shared/api-paths.ts';
import { ask, getFile } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { goTo } from '../model/route.ts';
import { shownName } from '../model/display-name.ts';
import { useWorld } from '../model/store.ts';
import { size } from '../components/format.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { textOf } from '../form/json.ts';
import { useAsking } from '../components/use-request.ts';
import { pairText } from '../compare/session-name.ts';
import { useRecordingFiles } from './recordings.ts';
import { openRecording } from './recordings.ts';
import { saveFile } from './record-button.tsx';
import { edit } from '../replay/replay.ts';

/** Requests that were saved, and recordings. */
export function LibraryPage() {
  const { collection, connections } = useWorld('work', 'connections');
  const files = useRecordingFiles();
  const asking = useAsking();
  const connected = [...connections.values()].filter(({ status }) => status.is === 'connected');
  const requests = collection?.requests ?? [];
  return (
    <div class="page">
      <header>
        <h1 class="grow">Saved and recorded</h1>
        <button type="button" class="button" onClick={() => goTo({ server: '~', section: 'compare' })}>
          Compare two sessions
        </button>
      </header>
      <ProblemBox error={asking.error ?? collection?.problem} />
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
                      {textOf(params.name) || method} {JSON.stringify(params.arguments ?? params)}
                    </code>
                  </span>
                  {there === undefined ? null : (
                    <>
                      <button
                        type="button"
                        class="quiet"
                        onClick={() => asking.run(() => ask('call', { connection: there.id, method, params }))}
                      >
                        Call on {shownName(there, connections.values())}
                      </button>
                      <button
                        type="button"
                        class="quiet"
                        onClick={() => asking.run(() => edit(there.label, method, params))}
                      >
                        Edit
                      </button>
                    </>
                  )}
                  <button type="button" class="quiet" onClick={() => asking.run(() => ask('unsave', { id }))}>
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
                {size(bytes)} · {new Date(at).toLocaleString()}
              </span>
              <button
                type="button"
                class="quiet"
                onClick={() =>
                  asking.run(async () =>
                    openRecording(file, await getFile(addresses.recording(file)), { isOfFolder: true }),
                  )
                }
              >
                Open
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() =>
                  goTo({ server: '~', section: 'compare', name: pairText({ label: '', file }, undefined) })
                }
              >
                Compare
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() => asking.run(async () => saveFile(await getFile(addresses.recording(file)), file))}
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
                if (file !== undefined) asking.run(() => openRecording(file.name, file));
              }}
            />
          </label>
        </div>
      </section>
    </div>
  );
}

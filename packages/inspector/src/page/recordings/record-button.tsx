import { useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import { request, fetchFile } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useAppState } from '../model/store.ts';
import { formatBytes } from '../components/format.ts';

/** Starts and stops a recording, and exports HTTP as HAR. */
export function RecordButton() {
  const { recording } = useAppState('work');
  const [problem, setProblem] = useState<string | undefined>();
  if (openedRecording.value !== undefined) return null;
  const isOn = recording?.state === 'on';
  const tried = (what: Promise<unknown>) => {
    setProblem(undefined);
    what.catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <>
      {problem === undefined ? null : <span class="bad small">{problem}</span>}
      <button
        type="button"
        class="quiet"
        aria-pressed={isOn}
        title={isOn ? recording.file : 'Writes all events to a file, including past ones'}
        onClick={() => tried(isOn ? request('record-stop', {}) : request('record', {}))}
      >
        <span class={isOn ? 'bad' : ''}>●</span> {isOn ? `Stop recording · ${formatBytes(recording.bytes)}` : 'Record'}
      </button>
      <button
        type="button"
        class="quiet"
        title="Save all HTTP exchanges as a HAR file"
        onClick={() => tried(fetchFile(apiPaths.har).then((file) => downloadFile(file, 'inspector.har')))}
      >
        HAR
      </button>
    </>
  );
}

/** Downloads a file. */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

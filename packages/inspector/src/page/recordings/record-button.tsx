import { useState } from 'preact/hooks';
import { addresses } from '../../shared/api-paths.ts';
import { ask, getFile } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useWorld } from '../model/store.ts';
import { size } from '../components/format.ts';

/** Records everything to a file, and saves HTTP as HAR. */
export function RecordButton() {
  const { recording } = useWorld('work');
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
        title={isOn ? recording.file : 'Writes everything to a file, what is known so far first'}
        onClick={() => tried(isOn ? ask('record-stop', {}) : ask('record', {}))}
      >
        <span class={isOn ? 'bad' : ''}>●</span> {isOn ? `Stop recording · ${size(recording.bytes)}` : 'Record'}
      </button>
      <button
        type="button"
        class="quiet"
        title="Save all HTTP exchanges as a HAR file"
        onClick={() => tried(getFile(addresses.har).then((file) => saveFile(file, 'inspector.har')))}
      >
        HAR
      </button>
    </>
  );
}

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

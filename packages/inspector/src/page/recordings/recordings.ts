import { signal } from '@preact/signals';
import { addresses } from '../../shared/api-paths.ts';
import { worldOf } from './parse-recording.ts';
import { getFile, ask } from '../model/api.ts';
import type { World } from '../model/app-state.ts';
import { goTo } from '../model/route.ts';
import { keptRecording, showRecording, useWorld } from '../model/store.ts';
import { forget, keep, kept } from '../model/tab-storage.ts';
import { useEffect, useState } from 'preact/hooks';
import type { RecordingFile } from '../../shared/requests.ts';

/** So many recordings are kept at a time. */
const most = 4;

/** The recordings that were read, by their names. */
export const readRecordings = signal<ReadonlyMap<string, World>>(new Map());

/** Reads a recording of the folder, once. */
export async function recordingOf(file: string): Promise<World> {
  return readRecordings.value.get(file) ?? keepRecording(file, await getFile(addresses.recording(file)));
}

/** Reads a recording from a file of the person at the page, and keeps it by its name. */
export async function keepRecording(name: string, file: Blob): Promise<World> {
  const world = worldOf(await file.text());
  const others = [...readRecordings.value].filter(([each]) => each !== name);
  readRecordings.value = new Map([...others, [name, world] as const].slice(-most));
  return world;
}

/** Shows a recording: the same events, read from a file. One of the folder is shown again after the page is loaded anew. */
export async function openRecording(name: string, file: Blob, { isOfFolder = false } = {}): Promise<void> {
  const world = await keepRecording(name, file);
  showRecording(name, world);
  if (isOfFolder) keep(keptRecording, name);
  const [first] = world.connections.values();
  goTo(first === undefined ? {} : { server: first.label, section: 'server' });
}

/** Shows the recording again that was shown before the page was loaded anew. */
export async function reopenRecording(): Promise<void> {
  const name = kept(keptRecording);
  if (name === undefined) return;
  try {
    showRecording(name, await recordingOf(name));
  } catch {
    // It may have been removed meanwhile: what happens now is shown.
    forget(keptRecording);
  }
}

/** The recordings of the folder, newest first. */
export function useRecordingFiles(): readonly RecordingFile[] {
  const { recording } = useWorld('work');
  const [files, setFiles] = useState<readonly RecordingFile[]>([]);
  useEffect(() => {
    void ask('recordings', {})
      .then((given) => setFiles(given.files))
      .catch(() => undefined);
  }, [recording?.state]);
  return files;
}

import type { RecordingHead } from '@ccmcp/core/recording';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import type { InspectorEvent } from '../../shared/events.ts';
import { tryParseJson } from '../../shared/json.ts';
import type { RecordingFile } from '../../shared/requests.ts';
import { fetchFile, request } from '../model/api.ts';
import { AppState } from '../model/app-state.ts';
import { navigate } from '../model/route.ts';
import { recordingKey, showRecording, useAppState } from '../model/store.ts';
import { loadFromTab, removeFromTab, saveToTab } from '../model/tab-storage.ts';

/** Limit of loaded recordings. */
const maxLoaded = 4;

/** Loaded recordings by name. */
export const loadedRecordings = signal<ReadonlyMap<string, AppState>>(new Map());

/** Loads a recording of the folder, once. */
export async function loadRecording(file: string): Promise<AppState> {
  return loadedRecordings.value.get(file) ?? addRecording(file, await fetchFile(apiPaths.recording(file)));
}

/** Loads a recording from a user's file. */
export async function addRecording(name: string, file: Blob): Promise<AppState> {
  const appState = parseRecording(await file.text());
  const others = [...loadedRecordings.value].filter(([each]) => each !== name);
  loadedRecordings.value = new Map([...others, [name, appState] as const].slice(-maxLoaded));
  return appState;
}

/** Opens a recording. One of the folder is opened again after a reload. */
export async function openRecording(name: string, file: Blob, { isOfFolder = false } = {}): Promise<void> {
  const appState = await addRecording(name, file);
  showRecording(name, appState);
  if (isOfFolder) saveToTab(recordingKey, name);
  const [first] = appState.connections.values();
  navigate(first === undefined ? {} : { server: first.label, section: 'server' });
}

/** Reopens the recording that was open before a reload. */
export async function reopenRecording(): Promise<void> {
  const name = loadFromTab(recordingKey);
  if (name === undefined) return;
  try {
    showRecording(name, await loadRecording(name));
  } catch {
    // The file may have been removed: show the live state.
    removeFromTab(recordingKey);
  }
}

/** Recordings of the folder, newest first. */
export function useRecordingFiles(): readonly RecordingFile[] {
  const { recording } = useAppState('work');
  const [files, setFiles] = useState<readonly RecordingFile[]>([]);
  useEffect(() => {
    void request('recordings', {})
      .then((given) => setFiles(given.files))
      .catch(() => undefined);
  }, [recording?.state]);
  return files;
}

/** A warning in place of a line that was truncated, because the program that wrote it was killed. */
function skippedLine(line: number, { last: n, lastEventAt: at }: AppState): InspectorEvent<'warning'> {
  return { n, at, type: 'warning', message: `Line ${line} of the recording is truncated, and was skipped` };
}

/** Parses a recording into a state. */
export function parseRecording(text: string): AppState {
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '');
  if ((tryParseJson(head) as RecordingHead | null | undefined)?.format !== 'ccmcp-recording')
    throw new Error('This file is not a recording of the inspector.');
  const appState = new AppState();
  for (const [index, line] of lines.entries()) {
    const event = tryParseJson(line) as InspectorEvent | null | undefined;
    if (event !== null && event !== undefined) appState.apply(event);
    else appState.apply(skippedLine(index + 2, appState));
  }
  // Questions in a recording can't be answered any more.
  for (const asked of appState.questions.values()) {
    const { question, n, at } = asked.question;
    asked.end ??= { question, n, at, outcome: 'lost', ms: appState.lastEventAt - at };
  }
  return appState;
}

import { goTo } from '../model/place.ts';
import { keptRecording, showRecording } from '../model/state.ts';
import { forget, keep, kept } from '../model/tab.ts';
import { keepRecording, recordingOf } from '../sessions/recordings.ts';

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

import { signal } from '@preact/signals';
import { addresses } from '../../shared/addresses.ts';
import { worldOf } from '../again/world-of.ts';
import { getFile } from '../model/api.ts';
import type { World } from '../model/world.ts';

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

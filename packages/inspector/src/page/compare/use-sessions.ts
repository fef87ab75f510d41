import { useEffect, useState } from 'preact/hooks';
import { amend, place } from '../model/route.ts';
import { isUpToDate, liveWorld, useWorld } from '../model/store.ts';
import { pairNamed, pairText, type SessionName } from './session-name.ts';
import { addresses } from '../../shared/api-paths.ts';
import { worldOf } from '../recordings/parse-recording.ts';
import { getFile } from '../model/api.ts';
import type { World } from '../model/app-state.ts';
import { recordingOf } from '../recordings/recordings.ts';

/** Two sessions that are read; each may not be there yet. */
export interface LoadedPair {
  readonly before?: LoadedSession | undefined;
  readonly after?: LoadedSession | undefined;
  readonly error?: unknown;
  readonly isBusy: boolean;
  /** Reads them again: those that go on have more by then. */
  again(): void;
}

/** Reads the two sessions that were chosen. */
export function useSessions(before: SessionName | undefined, after: SessionName | undefined): LoadedPair {
  const [pair, setPair] = useState<Omit<LoadedPair, 'isBusy' | 'again'>>({});
  const [isBusy, setBusy] = useState(false);
  const [times, setTimes] = useState(0);
  const wanted = pairText(before, after);
  useWorld('connections', 'lists');
  const state = [before, after].map(stateOf).join();
  useEffect(() => {
    if (!isUpToDate.value) return;
    let isCurrent = true;
    setBusy(true);
    const read = async (): Promise<void> => {
      const [left, right] = await Promise.all([before && loadSession(before), after && loadSession(after)]);
      if (!isCurrent) return;
      setPair({ before: left, after: right });
      const known = pairText(left?.name, right?.name);
      // The address may name others already: this is told of that a moment later.
      const isStill = pairText(...pairNamed(place.value.name ?? '')) === wanted;
      if (known !== wanted && isStill) amend({ ...place.value, name: known });
    };
    read()
      .catch((error: unknown) => isCurrent && setPair({ error }))
      .finally(() => isCurrent && setBusy(false));
    return () => {
      isCurrent = false;
    };
  }, [wanted, times, state, isUpToDate.value]);
  return { ...pair, isBusy, again: () => setTimes(times + 1) };
}

/** How far a session that goes on has come: when that changes, it is read again. Calls are too many for that. */
function stateOf(name: SessionName | undefined): string {
  if (name === undefined || name.file !== undefined) return '';
  const { connections, lists } = liveWorld();
  const connection = [...connections.values()].find(({ label }) => label === name.label);
  const own = [...lists.values()].filter((list) => list.connection === connection?.id);
  return [connection?.status.is, ...own.map(({ kind, state, version }) => `${kind} ${state} ${version}`)].join(' ');
}

/** A session that was read: the world that has it, and its connection there. */
export interface LoadedSession {
  readonly name: SessionName;
  readonly world: World;
  readonly connection: string;
}

/** Reads a session: from its recording, or what is known of it now. */
async function loadSession(name: SessionName): Promise<LoadedSession> {
  const { label, file } = name;
  if (file === undefined) {
    const connection = connectionIn(liveWorld(), label);
    if (connection === undefined) throw new Error(`No connection is called ${label}.`);
    const text = await (await getFile(addresses.session(connection))).text();
    return { name, world: worldOf(text), connection };
  }
  const world = await recordingOf(file);
  const connection = connectionIn(world, label);
  if (connection === undefined) throw new Error(`The recording ${file} has no connection ${label}.`);
  return { name: { file, label: world.connections.get(connection)?.label ?? '' }, world, connection };
}

/** The connection of a label; without one, the first that reached its server. */
function connectionIn({ connections }: World, label: string): string | undefined {
  const all = [...connections.values()];
  const found =
    label === ''
      ? (all.find(({ server }) => server !== undefined) ?? all[0])
      : all.find((each) => each.label === label);
  return found?.id;
}

import { useEffect, useState } from 'preact/hooks';
import { apiPaths } from '../../shared/api-paths.ts';
import { fetchFile } from '../model/api.ts';
import type { AppState } from '../model/app-state.ts';
import { formatPair, parsePair, replaceRoute, route, type SessionName } from '../model/route.ts';
import { getLiveState, isUpToDate, useAppState } from '../model/store.ts';
import { loadRecording, parseRecording } from '../recordings/recordings.ts';

/** Two loaded sessions; each may still be missing. */
export interface LoadedPair {
  readonly before?: LoadedSession | undefined;
  readonly after?: LoadedSession | undefined;
  readonly error?: unknown;
  readonly isBusy: boolean;
  /** Loads both again: live sessions may have grown. */
  reload(): void;
}

/** Loads the two selected sessions. */
export function useSessions(before: SessionName | undefined, after: SessionName | undefined): LoadedPair {
  const [pair, setPair] = useState<Omit<LoadedPair, 'isBusy' | 'reload'>>({});
  const [isBusy, setBusy] = useState(false);
  const [reloads, setReloads] = useState(0);
  const requested = formatPair(before, after);
  useAppState('connections', 'lists');
  const state = [before, after].map(progressKey).join();
  useEffect(() => {
    if (!isUpToDate.value) return;
    let isCurrent = true;
    setBusy(true);
    const read = async (): Promise<void> => {
      const [left, right] = await Promise.all([before && loadSession(before), after && loadSession(after)]);
      if (!isCurrent) return;
      setPair({ before: left, after: right });
      const known = formatPair(left?.name, right?.name);
      // The URL may already name other sessions; the effect runs for those next.
      const isStill = formatPair(...parsePair(route.value.name ?? '')) === requested;
      if (known !== requested && isStill) replaceRoute({ ...route.value, name: known });
    };
    read()
      .catch((error: unknown) => isCurrent && setPair({ error }))
      .finally(() => isCurrent && setBusy(false));
    return () => {
      isCurrent = false;
    };
  }, [requested, reloads, state, isUpToDate.value]);
  return { ...pair, isBusy, reload: () => setReloads(reloads + 1) };
}

/** Progress of a live session: a change reloads it. Calls do not count, there are too many of them. */
function progressKey(name: SessionName | undefined): string {
  if (name === undefined || name.file !== undefined) return '';
  const { connections, lists } = getLiveState();
  const connection = [...connections.values()].find(({ label }) => label === name.label);
  const own = [...lists.values()].filter((list) => list.connection === connection?.id);
  return [connection?.status.is, ...own.map(({ kind, state, version }) => `${kind} ${state} ${version}`)].join(' ');
}

/** A loaded session: the state that contains it, and its connection there. */
export interface LoadedSession {
  readonly name: SessionName;
  readonly appState: AppState;
  readonly connection: string;
}

/** Loads a session: from its recording, or from the live state. */
async function loadSession(name: SessionName): Promise<LoadedSession> {
  const { label, file } = name;
  if (file === undefined) {
    const connection = findConnection(getLiveState(), label);
    if (connection === undefined) throw new Error(`No connection is called ${label}.`);
    const text = await (await fetchFile(apiPaths.session(connection))).text();
    return { name, appState: parseRecording(text), connection };
  }
  const appState = await loadRecording(file);
  const connection = findConnection(appState, label);
  if (connection === undefined) throw new Error(`The recording ${file} has no connection ${label}.`);
  return { name: { file, label: appState.connections.get(connection)?.label ?? '' }, appState, connection };
}

/** Finds a connection by label; without a label, the first one that reached its server. */
function findConnection({ connections }: AppState, label: string): string | undefined {
  const all = [...connections.values()];
  const found =
    label === ''
      ? (all.find(({ server }) => server !== undefined) ?? all[0])
      : all.find((each) => each.label === label);
  return found?.id;
}

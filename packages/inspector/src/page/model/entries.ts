import { signal } from '@preact/signals';
import { apiPaths } from '../../shared/api-paths.ts';
import type { ListEntries, ListKind } from '../../shared/lists.ts';
import { toSearchText } from '../lists/search.ts';
import { stringOrEmpty } from '../form/json.ts';
import { fetchJson } from './api.ts';
import { openedRecording } from './opened-recording.ts';
import { getAppState } from './store.ts';

/** An entry of a list, prepared for search and display. */
export interface Entry {
  readonly kind: ListKind;
  /** Its name or URI, unique within its kind. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tokens: number;
  readonly search: string;
  /** As listed by the untrusted server. */
  readonly raw: Readonly<Record<string, unknown>>;
}

interface Loaded {
  readonly version: number;
  readonly entries: readonly Entry[];
}

const loaded = signal<ReadonlyMap<string, Loaded>>(new Map());
const requestedVersions = new Map<string, number>();

/** Entries of a list, fetched on first use; undefined while loading. */
export function useEntries(connection: string, kind: ListKind): readonly Entry[] | undefined {
  const appState = getAppState();
  const listKey = `${connection}/${kind}`;
  const recorded = appState.recordedEntries.get(listKey);
  if (openedRecording.value !== undefined) return recordedEntriesOf(kind, recorded);
  // Versions restart with another run of the inspector.
  const key = `${appState.hello?.run} ${listKey}`;
  const list = appState.lists.get(listKey);
  const known = loaded.value.get(key);
  const version = list?.version ?? 0;
  if (
    version > 0 &&
    known?.version !== version &&
    recorded?.version !== version &&
    requestedVersions.get(key) !== version
  ) {
    requestedVersions.set(key, version);
    void load(connection, kind, key);
  }
  // Shows the old entries until the new ones arrive.
  return known?.entries ?? recordedEntriesOf(kind, recorded);
}

/** Current entries of a list. */
export async function fetchEntries(connection: string, kind: ListKind): Promise<readonly Entry[]> {
  if (openedRecording.value !== undefined)
    return recordedEntriesOf(kind, getAppState().recordedEntries.get(`${connection}/${kind}`)) ?? [];
  return toEntries(kind, await fetchJson<ListEntries>(apiPaths.list(connection, kind)));
}

const entriesCache = new WeakMap<ListEntries, readonly Entry[]>();

function recordedEntriesOf(kind: ListKind, recorded: ListEntries | undefined): readonly Entry[] | undefined {
  if (recorded === undefined) return undefined;
  const entries = entriesCache.get(recorded) ?? toEntries(kind, recorded);
  entriesCache.set(recorded, entries);
  return entries;
}

async function load(connection: string, kind: ListKind, key: string): Promise<void> {
  try {
    const listed = await fetchJson<ListEntries>(apiPaths.list(connection, kind));
    loaded.value = new Map(loaded.value).set(key, { version: listed.version, entries: toEntries(kind, listed) });
  } catch {
    requestedVersions.delete(key);
  }
}

function toEntries(kind: ListKind, { entries, tokens }: ListEntries): readonly Entry[] {
  return entries.map((raw, index) => toEntry(kind, raw, tokens[index] ?? 0));
}

/** The identifying property of each kind. */
export const idProperty: Readonly<Record<ListKind, string>> = {
  tools: 'name',
  resources: 'uri',
  templates: 'uriTemplate',
  prompts: 'name',
};

/** Creates an entry from what the server listed. */
export function toEntry(kind: ListKind, raw: Readonly<Record<string, unknown>>, tokens: number): Entry {
  const id = stringOrEmpty(raw[idProperty[kind]]);
  const title =
    stringOrEmpty(raw.title) || (kind === 'resources' || kind === 'templates' ? stringOrEmpty(raw.name) : '');
  const description = stringOrEmpty(raw.description);
  return { kind, id, title, description, tokens, search: toSearchText(id, title, description), raw };
}

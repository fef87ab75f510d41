import { signal } from '@preact/signals';
import { apiPaths } from '../../shared/api-paths.ts';
import { isRecord, stringOrEmpty } from '../../shared/json.ts';
import type { ListEntries, ListKind, ToolQuirk } from '../../shared/lists.ts';
import { fetchJson } from './api.ts';
import { openedRecording } from './route.ts';
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
  /** The trouble that clients have with a tool. */
  readonly quirks: readonly ToolQuirk[];
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

function toEntries(kind: ListKind, { entries, tokens, quirks = {} }: ListEntries): readonly Entry[] {
  return entries.map((raw, index) => {
    const entry = toEntry(kind, raw, tokens[index] ?? 0);
    return Object.hasOwn(quirks, entry.id) ? { ...entry, quirks: quirks[entry.id] ?? [] } : entry;
  });
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
  return { kind, id, title, description, tokens, search: toSearchText(id, title, description), quirks: [], raw };
}

// Separates name and description: no search word contains it.
const separator = '\n';

/** Text by which an entry is searched. */
export function toSearchText(name: string, title: string, description: string): string {
  return `${name}${separator}${title}${separator}${description}`.toLowerCase();
}

/** Entries that contain every word of a query; matches in the name come first. */
export function search<Entry extends { readonly search: string }>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return entries;
  const beginning: Entry[] = [];
  const named: Entry[] = [];
  const described: Entry[] = [];
  for (const entry of entries) {
    const { search } = entry;
    if (!words.every((word) => search.includes(word))) continue;
    const at = search.indexOf(first);
    if (at === 0) beginning.push(entry);
    else if (at < search.indexOf(separator)) named.push(entry);
    else described.push(entry);
  }
  return [...beginning, ...named, ...described];
}

type Row = Readonly<Record<string, unknown>>;

/** URI of a tool's view, in the current or the legacy form. */
export function toolViewUri({ _meta: meta }: Row): string | undefined {
  if (!isRecord(meta)) return undefined;
  const uri = (isRecord(meta.ui) ? meta.ui.resourceUri : undefined) ?? meta['ui/resourceUri'];
  return typeof uri === 'string' ? uri : undefined;
}

/** Whether a tool is hidden from models, for use by views only. */
export function isHiddenFromModels({ _meta: meta }: Row): boolean {
  const visibility = isRecord(meta) && isRecord(meta.ui) ? meta.ui.visibility : undefined;
  return Array.isArray(visibility) && !visibility.includes('model');
}

import { signal } from '@preact/signals';
import { addresses } from '../../shared/api-paths.ts';
import type { ListEntries, ListKind } from '../../shared/lists.ts';
import { searchable } from '../lists/search.ts';
import { textOf } from '../form/json.ts';
import { get } from './api.ts';
import { openedRecording } from './opened-recording.ts';
import { theWorld } from './store.ts';

/** An entry of a list, with what it is searched and shown by. */
export interface Entry {
  readonly kind: ListKind;
  /** Names it among its kind: a name, or an address. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tokens: number;
  readonly search: string;
  /** As the server listed it; data of a stranger. */
  readonly raw: Readonly<Record<string, unknown>>;
}

interface Loaded {
  readonly version: number;
  readonly entries: readonly Entry[];
}

const loaded = signal<ReadonlyMap<string, Loaded>>(new Map());
const asked = new Map<string, number>();

/** The entries of a list, as far as they have come; they are got when they are first wanted. */
export function useEntries(connection: string, kind: ListKind): readonly Entry[] | undefined {
  const world = theWorld();
  const place = `${connection}/${kind}`;
  const told = world.listed.get(place);
  if (openedRecording.value !== undefined) return toldEntries(kind, told);
  // Another run of the inspector counts from the beginning again.
  const key = `${world.hello?.run} ${place}`;
  const list = world.lists.get(place);
  const known = loaded.value.get(key);
  const version = list?.version ?? 0;
  if (version > 0 && known?.version !== version && told?.version !== version && asked.get(key) !== version) {
    asked.set(key, version);
    void load(connection, kind, key);
  }
  // Until others have come, those that were there stay.
  return known?.entries ?? toldEntries(kind, told);
}

/** The entries of a list as they are known now. */
export async function entriesNow(connection: string, kind: ListKind): Promise<readonly Entry[]> {
  if (openedRecording.value !== undefined)
    return toldEntries(kind, theWorld().listed.get(`${connection}/${kind}`)) ?? [];
  return entriesOf(kind, await get<ListEntries>(addresses.list(connection, kind)));
}

const made = new WeakMap<ListEntries, readonly Entry[]>();

function toldEntries(kind: ListKind, told: ListEntries | undefined): readonly Entry[] | undefined {
  if (told === undefined) return undefined;
  const entries = made.get(told) ?? entriesOf(kind, told);
  made.set(told, entries);
  return entries;
}

async function load(connection: string, kind: ListKind, key: string): Promise<void> {
  try {
    const listed = await get<ListEntries>(addresses.list(connection, kind));
    loaded.value = new Map(loaded.value).set(key, { version: listed.version, entries: entriesOf(kind, listed) });
  } catch {
    asked.delete(key);
  }
}

function entriesOf(kind: ListKind, { entries, tokens }: ListEntries): readonly Entry[] {
  return entries.map((raw, index) => entryOf(kind, raw, tokens[index] ?? 0));
}

/** Where entries of each kind have what names them. */
export const idOf: Readonly<Record<ListKind, string>> = {
  tools: 'name',
  resources: 'uri',
  templates: 'uriTemplate',
  prompts: 'name',
};

/** An entry of a list, made from what the server listed. */
export function entryOf(kind: ListKind, raw: Readonly<Record<string, unknown>>, tokens: number): Entry {
  const id = textOf(raw[idOf[kind]]);
  const title = textOf(raw.title) || (kind === 'resources' || kind === 'templates' ? textOf(raw.name) : '');
  const description = textOf(raw.description);
  return { kind, id, title, description, tokens, search: searchable(id, title, description), raw };
}

import { signal } from '@preact/signals';
import { addresses } from '../../shared/addresses.ts';
import type { ListEntries, ListKind } from '../../shared/lists.ts';
import { searchable } from '../lists/search.ts';
import { textOf } from '../parts/text-of.ts';
import { get } from './api.ts';
import { openedRecording } from './opened-recording.ts';
import { theWorld } from './state.ts';

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
  if (openedRecording.value !== undefined) return recordedEntries(kind, world.listed.get(place));
  // Another run of the inspector counts from the beginning again.
  const key = `${world.hello?.run} ${place}`;
  const list = world.lists.get(place);
  const known = loaded.value.get(key);
  if (list !== undefined && list.version > 0 && known?.version !== list.version && asked.get(key) !== list.version) {
    asked.set(key, list.version);
    void load(connection, kind, key);
  }
  return known?.entries;
}

const recorded = new WeakMap<ListEntries, readonly Entry[]>();

function recordedEntries(kind: ListKind, listed: ListEntries | undefined): readonly Entry[] | undefined {
  if (listed === undefined) return undefined;
  const made = recorded.get(listed) ?? entriesOf(kind, listed);
  recorded.set(listed, made);
  return made;
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

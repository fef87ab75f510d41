import type { Filter } from '../../shared/lists.ts';
import { replaceRoute, route } from '../model/route.ts';
import { saveToTab, loadFromTab } from '../model/tab-storage.ts';

/** Lists that can be subscribed to. */
export const lists = ['tools', 'resources', 'prompts'] as const;

/** Form state of a subscription. */
export interface ListenOptions {
  readonly lists: readonly string[];
  /** Resource URIs, one per line. */
  readonly uris: string;
  /** Whether to read the resources on every change, to show a diff. */
  readonly reads: boolean;
}

const defaults: ListenOptions = { lists, uris: '', reads: true };

/** Options from the URL, or else the stored ones. */
export function loadListenOptions(connection: string): ListenOptions {
  return parseListenOptions(route.value.args ?? loadFromTab(storageKey(connection)));
}

/** Stores options, and puts them into the URL. */
export function saveListenOptions(connection: string, options: ListenOptions): void {
  const text = formatListenOptions(options);
  saveToTab(storageKey(connection), text);
  replaceRoute({ ...route.value, args: text });
}

/** Encodes options for the URL. */
export function formatListenOptions(options: Partial<ListenOptions>): string {
  return JSON.stringify({ ...defaults, ...options });
}

function parseListenOptions(text: string | undefined): ListenOptions {
  try {
    const { lists: named, uris, reads } = JSON.parse(text ?? '{}') as Partial<ListenOptions>;
    return {
      lists: Array.isArray(named) ? lists.filter((name) => named.includes(name)) : defaults.lists,
      uris: typeof uris === 'string' ? uris : defaults.uris,
      reads: typeof reads === 'boolean' ? reads : defaults.reads,
    };
  } catch {
    return defaults;
  }
}

/** Converts options to a subscription filter. */
export function toFilter({ lists: named, uris }: ListenOptions): Filter {
  const addresses = uris
    .split('\n')
    .map((uri) => uri.trim())
    .filter(Boolean);
  return {
    ...Object.fromEntries(named.map((name) => [name, true])),
    ...(addresses.length > 0 && { uris: addresses }),
  };
}

function storageKey(connection: string): string {
  return `listen ${connection}`;
}

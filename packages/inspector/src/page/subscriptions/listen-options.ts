import type { Filter } from '../../shared/subscriptions.ts';
import { amend, place } from '../model/route.ts';
import { keep, kept } from '../model/tab-storage.ts';

/** Lists that can be listened to. */
export const lists = ['tools', 'resources', 'prompts'] as const;

/** What is filled in to be listened to. */
export interface Wish {
  readonly lists: readonly string[];
  /** Addresses of resources, one a line. */
  readonly uris: string;
  /** Whether these are read, so that it can be seen what changes in them. */
  readonly reads: boolean;
}

const first: Wish = { lists, uris: '', reads: true };

/** What is filled in: as the address says, or else as it was. */
export function wishFor(connection: string): Wish {
  return wishIn(place.value.args ?? kept(keyOf(connection)));
}

/** Fills something in, and says so in the address. */
export function fillWish(connection: string, wish: Wish): void {
  const text = textOf(wish);
  keep(keyOf(connection), text);
  amend({ ...place.value, args: text });
}

/** What is filled in, as it stands in an address. */
export function textOf(wish: Partial<Wish>): string {
  return JSON.stringify({ ...first, ...wish });
}

function wishIn(text: string | undefined): Wish {
  try {
    const { lists: named, uris, reads } = JSON.parse(text ?? '{}') as Partial<Wish>;
    return {
      lists: Array.isArray(named) ? lists.filter((name) => named.includes(name)) : first.lists,
      uris: typeof uris === 'string' ? uris : first.uris,
      reads: typeof reads === 'boolean' ? reads : first.reads,
    };
  } catch {
    return first;
  }
}

/** What is asked of a server for that. */
export function filterOf({ lists: named, uris }: Wish): Filter {
  const addresses = uris
    .split('\n')
    .map((uri) => uri.trim())
    .filter(Boolean);
  return {
    ...Object.fromEntries(named.map((name) => [name, true])),
    ...(addresses.length > 0 && { uris: addresses }),
  };
}

function keyOf(connection: string): string {
  return `listen ${connection}`;
}

import { signal } from '@preact/signals';
import type { AppHostOptions } from '@ccmcp/core/apps-host';
import { theWorld } from '../model/store.ts';
import type { World } from '../model/app-state.ts';

/** Something of the browser that a view may ask for. */
export type Permission = NonNullable<AppHostOptions['permissions']>[number];

/** How the view of one tool is held, as a person has set it. */
export interface Hold {
  readonly relaxed: boolean;
  readonly origin: 'own' | 'opaque';
  /** What is granted of that which the view asks for. */
  readonly permissions: readonly Permission[];
}

const strict: Hold = { relaxed: false, origin: 'own', permissions: [] };
const holds = signal<ReadonlyMap<string, Hold>>(new Map());

/** How the view of a tool is held: strictly, until somebody wants it otherwise, and until the page is loaded again. */
export function holdOf(connection: string, tool: string): Hold {
  return holds.value.get(keyOf(connection, tool)) ?? strict;
}

/** Holds the view of a tool in another way. */
export function changeHold(connection: string, tool: string, change: Partial<Hold>): void {
  const changed = { ...holdOf(connection, tool), ...change };
  holds.value = new Map(holds.value).set(keyOf(connection, tool), changed);
}

const worlds = new WeakMap<World, number>();
let known = 0;

/** What is granted to a view counts for no recording, whose ids name other things. */
function keyOf(connection: string, tool: string): string {
  const world = theWorld();
  const number = worlds.get(world) ?? ++known;
  worlds.set(world, number);
  return `${number} ${connection} ${tool}`;
}

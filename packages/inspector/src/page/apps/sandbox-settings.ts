import { signal } from '@preact/signals';
import type { AppHostOptions } from '@ccmcp/core/apps-host';
import { getAppState } from '../model/store.ts';
import type { AppState } from '../model/app-state.ts';

/** Something of the browser that a view may ask for. */
export type Permission = NonNullable<AppHostOptions['permissions']>[number];

/** How the view of one tool is held, as a person has set it. */
export interface SandboxSettings {
  readonly relaxed: boolean;
  readonly origin: 'own' | 'opaque';
  /** What is granted of that which the view asks for. */
  readonly permissions: readonly Permission[];
}

const strict: SandboxSettings = { relaxed: false, origin: 'own', permissions: [] };
const settingsByView = signal<ReadonlyMap<string, SandboxSettings>>(new Map());

/** How the view of a tool is held: strictly, until somebody wants it otherwise, and until the page is loaded again. */
export function getSandboxSettings(connection: string, tool: string): SandboxSettings {
  return settingsByView.value.get(viewKey(connection, tool)) ?? strict;
}

/** Holds the view of a tool in another way. */
export function changeSandboxSettings(connection: string, tool: string, change: Partial<SandboxSettings>): void {
  const changed = { ...getSandboxSettings(connection, tool), ...change };
  settingsByView.value = new Map(settingsByView.value).set(viewKey(connection, tool), changed);
}

const stateNumbers = new WeakMap<AppState, number>();
let lastNumber = 0;

/** What is granted to a view counts for no recording, whose ids name other things. */
function viewKey(connection: string, tool: string): string {
  const appState = getAppState();
  const number = stateNumbers.get(appState) ?? ++lastNumber;
  stateNumbers.set(appState, number);
  return `${number} ${connection} ${tool}`;
}

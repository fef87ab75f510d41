import { effect, signal } from '@preact/signals';
import type { Look } from '../../shared/look.ts';
import { ask } from './api.ts';

/** How the page looks. */
export type Settings = Required<Look>;

const usual: Settings = {
  theme: 'system',
  servers: 224,
  list: 320,
  timeline: 208,
  timelineIs: globalThis.innerWidth < 900 ? 'closed' : 'strip',
  timelineBy: 'calls',
};

/** How the page looks. */
export const settings = signal<Settings>(usual);

/** What of it a person has set. */
let chosen: Look = {};
let isKeptByInspector = false;

/** Lets the page look as it did: the inspector tells, or else the browser has it, which may have to be waited for. */
export function takeLook(told: Look | undefined): void {
  isKeptByInspector = told !== undefined;
  chosen = told ?? storedLook();
  settings.value = { ...usual, ...chosen };
}

function storedLook(): Look {
  try {
    return JSON.parse(localStorage.getItem('settings') ?? '{}') as Look;
  } catch {
    return {};
  }
}

/** Changes how the page looks. */
export function set(change: Look): void {
  chosen = { ...chosen, ...change };
  settings.value = { ...usual, ...chosen };
  if (isKeptByInspector) void tellInspector();
  else localStorage.setItem('settings', JSON.stringify(chosen));
}

let told: Look | undefined;
let isTelling = false;

/** A border that is dragged changes many times a second: while one change is on its way, those that come are told as one. */
async function tellInspector(): Promise<void> {
  if (isTelling) return;
  isTelling = true;
  try {
    while (told !== chosen) {
      told = chosen;
      await ask('set-look', { look: chosen });
    }
  } catch {
    // It is away: the page looks as wanted until it is loaded again.
  } finally {
    isTelling = false;
  }
}

/** Lets the document follow the theme. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = settings.value.theme;
  });
}

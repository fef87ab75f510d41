import { effect, signal } from '@preact/signals';
import type { Look } from '../../shared/look.ts';
import { request } from './api.ts';

/** Settings of the page. */
export type Settings = Required<Look>;

const defaults: Settings = {
  theme: 'system',
  servers: 224,
  list: 320,
  timeline: 208,
  timelineIs: globalThis.innerWidth < 900 ? 'closed' : 'strip',
  timelineBy: 'calls',
};

/** Current settings of the page. */
export const settings = signal<Settings>(defaults);

/** The settings that the user changed. */
let chosenLook: Look = {};
let isStoredByInspector = false;

/** Applies stored settings: from the inspector, or else from local storage, which may be slow on a cold start. */
export function applyLook(saved: Look | undefined): void {
  isStoredByInspector = saved !== undefined;
  chosenLook = saved ?? loadStoredLook();
  settings.value = { ...defaults, ...chosenLook };
}

function loadStoredLook(): Look {
  try {
    return JSON.parse(localStorage.getItem('settings') ?? '{}') as Look;
  } catch {
    return {};
  }
}

/** Changes settings and stores them. */
export function changeSettings(change: Look): void {
  chosenLook = { ...chosenLook, ...change };
  settings.value = { ...defaults, ...chosenLook };
  if (isStoredByInspector) void sendLook();
  else localStorage.setItem('settings', JSON.stringify(chosenLook));
}

let sentLook: Look | undefined;
let isSending = false;

/** Sends settings to the inspector, and coalesces the many changes of a drag. */
async function sendLook(): Promise<void> {
  if (isSending) return;
  isSending = true;
  try {
    while (sentLook !== chosenLook) {
      sentLook = chosenLook;
      await request('set-look', { look: chosenLook });
    }
  } catch {
    // The inspector is unreachable: the settings last until the next reload.
  } finally {
    isSending = false;
  }
}

/** Applies the theme to the document. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = settings.value.theme;
  });
}

import { effect, signal } from '@preact/signals';
import type { PageSettings } from '../../shared/page-settings.ts';
import { request } from './api.ts';

/** Settings of the page. */
export type Settings = Required<PageSettings>;

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
let chosenSettings: PageSettings = {};
let isStoredByInspector = false;

/** Applies stored settings: from the inspector, or else from local storage, which may be slow on a cold start. */
export function applyPageSettings(saved: PageSettings | undefined): void {
  isStoredByInspector = saved !== undefined;
  chosenSettings = saved ?? loadStoredSettings();
  settings.value = { ...defaults, ...chosenSettings };
}

function loadStoredSettings(): PageSettings {
  try {
    return JSON.parse(localStorage.getItem('settings') ?? '{}') as PageSettings;
  } catch {
    return {};
  }
}

/** Changes settings and stores them. */
export function changeSettings(change: PageSettings): void {
  chosenSettings = { ...chosenSettings, ...change };
  settings.value = { ...defaults, ...chosenSettings };
  if (isStoredByInspector) void sendSettings();
  else localStorage.setItem('settings', JSON.stringify(chosenSettings));
}

let sentSettings: PageSettings | undefined;
let isSending = false;

/** Sends settings to the inspector, and coalesces the many changes of a drag. */
async function sendSettings(): Promise<void> {
  if (isSending) return;
  isSending = true;
  try {
    while (sentSettings !== chosenSettings) {
      sentSettings = chosenSettings;
      await request('set-page-settings', { pageSettings: chosenSettings });
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

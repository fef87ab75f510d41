import { effect, signal } from '@preact/signals';

/** How the page looks. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  /** Widths of the columns and the height of the timeline, in pixels. */
  readonly servers: number;
  readonly list: number;
  readonly timeline: number;
  readonly timelineIs: 'closed' | 'strip' | 'full';
  readonly timelineBy: 'order' | 'calls';
}

const usual: Settings = {
  theme: 'system',
  servers: 224,
  list: 320,
  timeline: 208,
  timelineIs: innerWidth < 900 ? 'closed' : 'strip',
  timelineBy: 'calls',
};

/** How the page looks, kept by the browser. */
export const settings = signal<Settings>(usual);

function stored(): Settings {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem('settings') ?? '{}') as Partial<Settings>) };
  } catch {
    return usual;
  }
}

/** Changes how the page looks. */
export function set(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
  localStorage.setItem('settings', JSON.stringify(settings.value));
}

/** Lets the page look as it is set, also when that changes. */
export function applySettings(): void {
  settings.value = stored();
  effect(() => {
    document.documentElement.dataset.theme = settings.value.theme;
  });
}

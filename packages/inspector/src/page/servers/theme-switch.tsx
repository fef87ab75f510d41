import { set, settings } from '../model/settings.ts';

const next = { system: 'light', light: 'dark', dark: 'system' } as const;
const shapes = { system: '◑', light: '☼', dark: '☾' } as const;

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const { theme } = settings.value;
  const label = `Colours: ${theme}. Change to ${next[theme]}`;
  return (
    <button type="button" class="quiet" aria-label={label} title={label} onClick={() => set({ theme: next[theme] })}>
      {shapes[theme]}
    </button>
  );
}

import { signal } from '@preact/signals';
import type { DisplayMode, HostContext } from '@ccmcp/core/apps-host';
import { settings } from '../model/settings.ts';

/** Where views are shown, as a person has set it: they are told, and have to get along with it. */
export interface HostSettings {
  readonly theme: 'page' | 'light' | 'dark';
  readonly locale: string;
  readonly platform: 'web' | 'desktop' | 'mobile';
  /** In pixels; 0: all there is. */
  readonly width: number;
  /** The most, in pixels. */
  readonly height: number;
}

/** Where views are shown. */
export const hostSettings = signal<HostSettings>({
  theme: 'page',
  locale: navigator.language,
  platform: 'web',
  width: 0,
  height: 600,
});

/** All ways in which a view can be displayed here. */
export const displayModes: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip'];

/** What a view is told of its place: in the page it may be as high as it likes, elsewhere it fills its stage. */
export function toHostContext(
  { theme, locale, platform, width, height }: HostSettings,
  mode: DisplayMode,
  stage?: HTMLElement | null,
): HostContext {
  const inline = { ...(width > 0 && { width }), maxHeight: height };
  const { clientWidth = 0, clientHeight = 0 } = stage ?? {};
  return {
    theme: theme === 'page' ? pageTheme() : theme,
    locale: isLocale(locale) ? locale : navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform,
    deviceCapabilities: { touch: platform === 'mobile', hover: platform !== 'mobile' },
    displayMode: mode,
    availableDisplayModes: displayModes,
    containerDimensions: mode === 'inline' ? inline : { width: clientWidth, height: clientHeight },
  };
}

/** Whether a text names a language, as `de-CH` does. */
export function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => (isSystemDark.value = matches));

/** How the page looks: as it is set, or as the system wants it now. */
export function pageTheme(): 'light' | 'dark' {
  const { theme } = settings.value;
  if (theme !== 'system') return theme;
  return isSystemDark.value ? 'dark' : 'light';
}

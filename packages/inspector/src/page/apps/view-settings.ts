import type { AppHostOptions, DisplayMode, HostContext } from '@ccmcp/core/apps-host';
import { signal } from '@preact/signals';
import type { AppState } from '../model/app-state.ts';
import { settings } from '../model/settings.ts';
import { getAppState } from '../model/store.ts';

/** Host environment of views, as set by the user. */
export interface HostSettings {
  readonly theme: 'page' | 'light' | 'dark';
  readonly locale: string;
  readonly platform: 'web' | 'desktop' | 'mobile';
  /** In pixels; 0: the available width. */
  readonly width: number;
  /** Maximum, in pixels. */
  readonly height: number;
}

/** Current host environment of views. */
export const hostSettings = signal<HostSettings>({
  theme: 'page',
  locale: navigator.language,
  platform: 'web',
  width: 0,
  height: 600,
});

/** Supported display modes. */
const displayModes: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip'];

/** Host context of a view: inline it has a maximum height, in other modes it fills its container. */
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

/** Current theme of the page: as set, or that of the system. */
export function pageTheme(): 'light' | 'dark' {
  const { theme } = settings.value;
  if (theme !== 'system') return theme;
  return isSystemDark.value ? 'dark' : 'light';
}

/** A browser permission that a view may request. */
export type Permission = NonNullable<AppHostOptions['permissions']>[number];

/** Sandbox settings of one tool's view, as set by the user. */
export interface SandboxSettings {
  readonly relaxed: boolean;
  readonly origin: 'own' | 'opaque';
  /** The granted permissions. */
  readonly permissions: readonly Permission[];
}

const strict: SandboxSettings = { relaxed: false, origin: 'own', permissions: [] };
const settingsByView = signal<ReadonlyMap<string, SandboxSettings>>(new Map());

/** Sandbox settings of a tool's view: strict by default, and after a reload of the page. */
export function getSandboxSettings(connection: string, tool: string): SandboxSettings {
  return settingsByView.value.get(viewKey(connection, tool)) ?? strict;
}

/** Changes the sandbox settings of a tool's view. */
export function changeSandboxSettings(connection: string, tool: string, change: Partial<SandboxSettings>): void {
  const changed = { ...getSandboxSettings(connection, tool), ...change };
  settingsByView.value = new Map(settingsByView.value).set(viewKey(connection, tool), changed);
}

const stateNumbers = new WeakMap<AppState, number>();
let lastNumber = 0;

/** Separate keys for recordings, whose ids mean other connections: grants must not carry over. */
function viewKey(connection: string, tool: string): string {
  const appState = getAppState();
  const number = stateNumbers.get(appState) ?? ++lastNumber;
  stateNumbers.set(appState, number);
  return `${number} ${connection} ${tool}`;
}

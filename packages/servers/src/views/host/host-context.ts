/** The host context: properties of the host and its page. */
export interface HostContext {
  theme?: 'light' | 'dark';
  styles?: { variables?: Record<string, string | undefined>; css?: { fonts?: string } };
  displayMode?: string;
  locale?: string;
  timeZone?: string;
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
  toolInfo?: { tool?: { name?: string } };
}

/** Applies the host's theme, variables, fonts, mode and safe area. */
export function applyTheme({ theme, styles, safeAreaInsets, displayMode }: HostContext): void {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') {
    root.dataset.theme = theme;
    root.style.colorScheme = theme;
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (!/^--[a-z0-9-]+$/.test(name)) continue;
    if (typeof value === 'string') root.style.setProperty(name, value);
    else root.style.removeProperty(name);
  }
  if (typeof styles?.css?.fonts === 'string') fontSheet().textContent = styles.css.fonts;
  if (displayMode !== undefined) root.dataset.mode = displayMode;
  for (const [side, inset] of Object.entries(safeAreaInsets ?? {})) {
    if (typeof inset === 'number') root.style.setProperty(`--safe-${side}`, `${inset}px`);
  }
}

/** The host's locale; undefined for the browser's, if the host has no valid one. */
export function localeOf({ locale }: HostContext): string | undefined {
  return locale !== undefined && isLocale(locale) ? locale : undefined;
}

/** The host's time zone, or the browser's if the host has no valid one. */
export function timeZoneOf({ timeZone }: HostContext): string {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone }).resolvedOptions().timeZone;
  } catch {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

let sheet: HTMLStyleElement | undefined;

function fontSheet(): HTMLStyleElement {
  sheet ??= document.head.appendChild(document.createElement('style'));
  return sheet;
}

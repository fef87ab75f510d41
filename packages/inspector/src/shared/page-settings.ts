/** Settings of the page; absent ones have their defaults. */
export interface PageSettings {
  readonly theme?: 'system' | 'light' | 'dark';
  /** Column widths and timeline height, in pixels. */
  readonly servers?: number;
  readonly list?: number;
  readonly timeline?: number;
  readonly timelineIs?: 'closed' | 'strip' | 'full';
  readonly timelineBy?: 'order' | 'calls';
}

/** Stores the settings of the page between runs, independent of the origin. */
export interface PageSettingsStore {
  /** The stored `PageSettings`; invalid settings are ignored. */
  readonly saved: unknown;
  /** Stores the settings; failures are ignored. */
  save(settings: PageSettings): void | Promise<void>;
}

/** Settings of the page; absent ones have their defaults. */
export interface Look {
  readonly theme?: 'system' | 'light' | 'dark';
  /** Column widths and timeline height, in pixels. */
  readonly servers?: number;
  readonly list?: number;
  readonly timeline?: number;
  readonly timelineIs?: 'closed' | 'strip' | 'full';
  readonly timelineBy?: 'order' | 'calls';
}

/** Stores the settings of the page between runs, independent of the origin. */
export interface KeptLook {
  /** The last stored `Look`; invalid settings are ignored. */
  readonly last: unknown;
  /** Stores the settings; failures are ignored. */
  keep(look: Look): void | Promise<void>;
}

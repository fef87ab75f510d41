/** How a person set the page to look: what is absent is as usual. */
export interface Look {
  readonly theme?: 'system' | 'light' | 'dark';
  /** Widths of the columns and the height of the timeline, in pixels. */
  readonly servers?: number;
  readonly list?: number;
  readonly timeline?: number;
  readonly timelineIs?: 'closed' | 'strip' | 'full';
  readonly timelineBy?: 'order' | 'calls';
}

/** Keeps how the page looks from one inspector to the next, whatever its address is. */
export interface KeptLook {
  /** A `Look` as it was kept last; what of it makes no sense is left out. */
  readonly last: unknown;
  /** Keeps how it is now; where that fails, it is not there another time. */
  keep(look: Look): void | Promise<void>;
}

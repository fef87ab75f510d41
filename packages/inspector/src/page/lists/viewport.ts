/** Visible part of a list of rows of equal height, in pixels. */
export interface Viewport {
  /** Scroll offset. */
  readonly top: number;
  /** Height of the visible area. */
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows to render beyond the visible ones, above and below. */
const overscan = 4;

/** Index of the first rendered row. */
export function firstVisible({ top, rowHeight }: Viewport): number {
  return Math.max(0, Math.floor(top / rowHeight) - overscan);
}

/** Index of the last rendered row; one less than the first if there is none. */
export function lastVisible({ top, height, rowHeight, count }: Viewport): number {
  return height === 0
    ? firstVisible({ top, height, rowHeight, count }) - 1
    : Math.min(count - 1, Math.ceil((top + height) / rowHeight) - 1 + overscan);
}

/** Clamps the scroll offset. */
export function clampScroll({ top, height, rowHeight, count }: Viewport): number {
  return Math.max(0, Math.min(top, count * rowHeight - height));
}

/** Whether it is scrolled to the end, or nearly. */
export function isAtEnd({ top, height, rowHeight, count }: Viewport): boolean {
  return top + height >= count * rowHeight - rowHeight / 2;
}

/** Minimal scroll offset that makes a row visible. */
export function scrollToRow({ top, height, rowHeight }: Viewport, row: number): number {
  return Math.max(Math.min(top, row * rowHeight), (row + 1) * rowHeight - height);
}

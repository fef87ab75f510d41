/** What of many rows of one height is in sight, in pixels. */
export interface Sight {
  /** How far is scrolled. */
  readonly top: number;
  /** How high the place is in which they are seen. */
  readonly room: number;
  readonly height: number;
  readonly count: number;
}

/** So many rows more are drawn above and below: scrolling begins before drawing. */
const more = 4;

/** The first row that is drawn. */
export function firstInSight({ top, height }: Sight): number {
  return Math.max(0, Math.floor(top / height) - more);
}

/** The last row that is drawn; one less than the first where there is none. */
export function lastInSight({ top, room, height, count }: Sight): number {
  return room === 0
    ? firstInSight({ top, room, height, count }) - 1
    : Math.min(count - 1, Math.ceil((top + room) / height) - 1 + more);
}

/** As far as can be scrolled. */
export function clamped({ top, room, height, count }: Sight): number {
  return Math.max(0, Math.min(top, count * height - room));
}

/** Whether the end is in sight, or nearly. */
export function isAtEnd({ top, room, height, count }: Sight): boolean {
  return top + room >= count * height - height / 2;
}

/** How far must be scrolled that a row is in sight; no further than needed. */
export function withRow({ top, room, height }: Sight, row: number): number {
  return Math.max(Math.min(top, row * height), (row + 1) * height - room);
}

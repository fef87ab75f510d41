let ahead = 0;

/** Sets the clock of the server side, by which events are timed. It and the page may have two times of day. */
export function setServerClock(now: number): void {
  ahead = performance.now() - now;
}

/** What the clock of the server side says now. */
export function serverNow(): number {
  return performance.now() - ahead;
}

/** The moon at some time, as the server tells it. */
export interface Moon {
  readonly datetime: string;
  readonly age_days: number;
  /** The lit part of the disc, from 0 to 1. */
  readonly illuminated: number;
  readonly waxing: boolean;
  readonly phase: string;
}

/** A phase that is an instant: new moon, full moon, or a quarter. */
export interface ComingPhase {
  readonly datetime: string;
  readonly phase: string;
}

/** A month, with the moon on each of its days. */
export interface MonthPage {
  readonly moons: readonly Moon[];
  readonly next: readonly ComingPhase[];
}

/** A name as it stands at the beginning of a line. */
export function titled(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

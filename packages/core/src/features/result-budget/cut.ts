/** A part of a text, and what it is: `rows 41–80 of 1,200`. */
export interface Part {
  readonly text: string;
  readonly label: string;
}

/** A text that is cut. */
export interface Cut {
  /** What is shown at once. */
  readonly first: Part;
  /** The end of the text, which is shown at once too. */
  readonly last?: string;
  /** The rest, each part small enough for a page. */
  readonly rest: Iterable<Part>;
  /** False if the rest is not all of it: the end is too far away to be kept. */
  readonly isWhole: boolean;
}

/** How a text is cut; sizes are in bytes, as they go over the wire. */
export interface CutOptions {
  readonly firstRoom: number;
  readonly pageRoom: number;
  /** How much of the rest is kept at most. */
  readonly maxKept: number;
  /** The text is sent a second time, as structured content. */
  readonly isTwice: boolean;
}

/** How a change of a schema affects those who rely on it. */
export type Compatibility = 'breaking' | 'compatible' | 'wording' | 'undecided';

/** A difference between two versions of a schema. */
export interface SchemaChange {
  readonly kind: Compatibility;
  /** JSON Pointer into the newer schema (the older one if the place is gone), such as `/properties/limit`. */
  readonly path: string;
  /** What changed, one readable sentence without trailing dot: `"limit" is required now`. */
  readonly text: string;
}

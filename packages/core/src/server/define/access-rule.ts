/** Names of the grants that a caller needs. */
export type Requirement = readonly string[];

/** The access rule of an entry. */
export interface AccessRule {
  /** The requirement of every call; undefined if it depends on the call. */
  readonly fixed: Requirement | undefined;
  /** True if the entry is hidden from callers who lack it. */
  readonly secret: boolean;
  /** The requirement of a call with these validated arguments. Throws a `TypeError` if it can't be resolved. */
  of(...args: readonly unknown[]): Requirement | undefined;
}

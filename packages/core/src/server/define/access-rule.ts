/** Names of the grants that a caller needs. */
export type Requirement = readonly string[];

/** What something that is offered requires of its callers. */
export interface AccessRule {
  /** The same for each call; undefined if that depends on the call. */
  readonly fixed: Requirement | undefined;
  /** True if the thing is not there for callers who lack it. */
  readonly secret: boolean;
  /** The requirement of a call with these validated arguments. Throws a `TypeError` if it can't be resolved. */
  of(...args: readonly unknown[]): Requirement | undefined;
}

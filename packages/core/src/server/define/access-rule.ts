/** What a caller must have been granted for something, by name. */
export type Requirement = readonly string[];

/** What something that is offered requires of its callers. */
export interface AccessRule {
  /** The same for each call; undefined where that depends on the call. */
  readonly fixed: Requirement | undefined;
  /** True where the thing is not there for callers who lack it. */
  readonly secret: boolean;
  /** What a call with these arguments, which have been checked, requires. Throws a `TypeError` where that can't be determined. */
  of(...args: readonly unknown[]): Requirement | undefined;
}

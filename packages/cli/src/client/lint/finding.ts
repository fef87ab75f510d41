import type { IndexedTool } from '@ccmcp/core/tool-search';

/** What is checked: what a server shows to a model. */
export interface Listing {
  readonly tools: readonly IndexedTool[];
  readonly instructions?: string | undefined;
}

/** The severities, the worst first. */
export const severities = ['error', 'warning', 'hint'] as const;

export type Severity = (typeof severities)[number];

/** A problem that a rule found. */
export interface Problem {
  /** The name of the tool; absent if it concerns the whole list. */
  readonly tool?: string;
  /** Where in the tool, such as `inputSchema.properties.path`. */
  readonly path?: string;
  /** What is wrong. */
  readonly message: string;
}

/** A rule: it looks at the whole list, and asks nobody. */
export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** What it finds, for the docs. */
  readonly about: string;
  /** What to do about it. */
  readonly advice: string;
  check(listing: Listing): Iterable<Problem>;
}

/** A problem with what to do about it. */
export interface Finding extends Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly advice: string;
}

import type { IndexedTool } from '@ccmcp/core/tool-search';

/** The input of rules: the tools and instructions of a server. */
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

/** A rule of the check. It reads the whole list and sends no requests. */
export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** What it finds, for the docs. */
  readonly about: string;
  /** What to do about it. */
  readonly advice: string;
  check(listing: Listing): Iterable<Problem>;
}

/** A problem with advice. */
export interface Finding extends Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly advice: string;
}

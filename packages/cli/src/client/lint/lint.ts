import type { Finding, Listing, Rule } from './finding.ts';

/** Applies rules to the tools of a server. */
export function lint(listing: Listing, rules: readonly Rule[]): Finding[] {
  return rules.flatMap(({ id, severity, advice, check }) =>
    Array.from(check(listing), (problem) => ({ rule: id, severity, ...problem, advice })),
  );
}

import type { ConnectionTerms } from '../../shared/connections.ts';
import { masked } from '../mask.ts';

/** Other terms, in which headers that the page only knows masked stay as they were. */
export function mergedTerms(before: ConnectionTerms, after: ConnectionTerms): ConnectionTerms {
  if (after.headers === undefined) return { ...before, ...after };
  const headers = Object.entries(after.headers).map(
    ([name, value]) => [name, value === masked ? (before.headers?.[name] ?? value) : value] as const,
  );
  return { ...before, ...after, headers: Object.fromEntries(headers) };
}

/** The terms as the page may see them: of headers, the names. */
export function shownTerms({ headers, ...terms }: ConnectionTerms): ConnectionTerms {
  if (headers === undefined) return terms;
  return { ...terms, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, masked])) };
}

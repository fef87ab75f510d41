import { expandParts, type TemplateValues } from './uri-template/expand.ts';
import { parseParts } from './uri-template/grammar.ts';
import { compileMatcher, matchUri, type TemplateMatch } from './uri-template/match.ts';
import { type ParsedUri, parseUri } from './uri-template/units.ts';

export { type ParsedUri, parseUri };

/**
 * An RFC 6570 template that can be filled in and recognised. What a URI is matched against:
 * - `{x}` takes text without unescaped `/`, `?` or `#`; `{+x}` takes any. Neither is ever empty.
 * - `{/x}` `{.x}` `{#x}` `{;x}` `{?x}` `{&x}` may be absent, and then so are their variables in the result.
 * - Parameters may have any order; one that the template doesn't name, or a plain one given twice, is no match.
 * - `{x*}` gives a list. `{x:3}` takes at most three characters. A variable used twice must have one value.
 * - Where a URI can be divided in several ways, as between the neighbours of `{a}{b}`, what may be absent is filled if
 *   it can be, and then each expression, from the left, takes as much as leaves the rest something to match.
 */
export interface UriTemplate {
  readonly text: string;
  /** The names, each once, in order. */
  readonly variables: readonly string[];
  /** The percent-decoded values in a URI of this form; undefined for any other. Its time grows with the length only. */
  match(uri: string | ParsedUri): TemplateMatch | undefined;
  /** The URI for these values; those that are undefined, or an empty list, are left out. */
  expand(values: TemplateValues): string;
}

/** Reads an RFC 6570 template of any level; throws a TypeError that says if it is malformed and what to do. */
export function parseTemplate(text: string): UriTemplate {
  const parts = parseParts(text);
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map(({ name }) => name)));
  const matcher = compileMatcher(parts);
  return {
    text,
    variables: [...new Set(names)],
    match(uri) {
      const parsed = typeof uri === 'string' ? parseUri(uri) : uri;
      return parsed && matchUri(matcher, parsed);
    },
    expand: (values) => expandParts(parts, values),
  };
}

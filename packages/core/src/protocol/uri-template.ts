import { expandParts, type TemplateValues } from './uri-template/expand.ts';
import { parsePattern, type TemplatePattern } from './uri-template/grammar.ts';
import { compileMatcher, type Matcher, matchUri, type TemplateMatch } from './uri-template/match.ts';
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

const matchers = new WeakMap<TemplatePattern, Matcher>();

/** The percent-decoded values in a URI that has the form of a template; undefined for any other. */
export function matchTemplate(pattern: TemplatePattern, uri: string | ParsedUri): TemplateMatch | undefined {
  let matcher = matchers.get(pattern);
  if (matcher === undefined) {
    matcher = compileMatcher(pattern.parts);
    matchers.set(pattern, matcher);
  }
  const parsed = typeof uri === 'string' ? parseUri(uri) : uri;
  return parsed && matchUri(matcher, parsed);
}

/** Reads an RFC 6570 template of any level; throws a TypeError that says where it is malformed and what to do. */
export function parseTemplate(text: string): UriTemplate {
  const pattern = parsePattern(text);
  return {
    text,
    variables: pattern.variables,
    match: (uri) => matchTemplate(pattern, uri),
    expand: (values) => expandParts(pattern.parts, values),
  };
}

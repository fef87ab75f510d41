import { expandParts, type TemplateValues } from './uri-template/expand.ts';
import { parsePattern, type TemplatePattern } from './uri-template/grammar.ts';
import { compileMatcher, type Matcher, matchUri, type TemplateMatch } from './uri-template/match.ts';
import { type ParsedUri, parseUri } from './uri-template/units.ts';

export { type ParsedUri, parseUri };

/**
 * An RFC 6570 template that can be expanded and matched. How a URI is matched:
 * - `{x}` matches text without unescaped `/`, `?` or `#`; `{+x}` matches any text. Neither matches empty text.
 * - `{/x}` `{.x}` `{#x}` `{;x}` `{?x}` `{&x}` are optional. If one is absent, so are its variables in the result.
 * - Parameters may have any order. An unknown parameter, or a duplicate without `*`, is no match.
 * - `{x*}` matches a list, `{x:3}` at most three characters. A variable that occurs twice must have one value.
 * - If there are several matches, as for `{a}{b}`, most optional parts are filled, and then expressions are greedy from
 *   left to right.
 */
export interface UriTemplate {
  readonly text: string;
  /** The names, each once, in order. */
  readonly variables: readonly string[];
  /** The percent-decoded values of a URI that matches; undefined for any other. Takes linear time. */
  match(uri: string | ParsedUri): TemplateMatch | undefined;
  /** The URI for these values; undefined values and empty lists are omitted. */
  expand(values: TemplateValues): string;
}

const matchers = new WeakMap<TemplatePattern, Matcher>();

/** The percent-decoded values of a URI that matches a template; undefined for any other. */
export function matchTemplate(pattern: TemplatePattern, uri: string | ParsedUri): TemplateMatch | undefined {
  let matcher = matchers.get(pattern);
  if (matcher === undefined) {
    matcher = compileMatcher(pattern.parts);
    matchers.set(pattern, matcher);
  }
  const parsed = typeof uri === 'string' ? parseUri(uri) : uri;
  return parsed && matchUri(matcher, parsed);
}

/**
 * Parses an RFC 6570 template of any level. Throws a `TypeError` that says where it is malformed and what to write
 * instead.
 */
export function parseTemplate(text: string): UriTemplate {
  const pattern = parsePattern(text);
  return {
    text,
    variables: pattern.variables,
    match: (uri) => matchTemplate(pattern, uri),
    expand: (values) => expandParts(pattern.parts, values),
  };
}

import type { TemplatePattern } from './uri-template/grammar.ts';
import { compileMatcher, type Matcher, matchUri, type TemplateMatch } from './uri-template/match.ts';
import { type ParsedUri, parseUri } from './uri-template/units.ts';

export { type ParsedUri, parseUri };

const matchers = new WeakMap<TemplatePattern, Matcher>();

/**
 * The percent-decoded values of a URI that matches a template (RFC 6570), in linear time; undefined for any other.
 * - `{x}` matches text without unescaped `/`, `?` or `#`; `{+x}` matches any text. Neither matches empty text.
 * - `{/x}` `{.x}` `{#x}` `{;x}` `{?x}` `{&x}` are optional. If one is absent, so are its variables in the result.
 * - Parameters may have any order. An unknown parameter, or a duplicate without `*`, is no match.
 * - `{x*}` matches a list, `{x:3}` at most three characters. A variable that occurs twice must have one value.
 * - If there are several matches, as for `{a}{b}`, most optional parts are filled, and then expressions are greedy from
 *   left to right.
 */
export function matchTemplate(pattern: TemplatePattern, uri: string | ParsedUri): TemplateMatch | undefined {
  let matcher = matchers.get(pattern);
  if (matcher === undefined) {
    matcher = compileMatcher(pattern.parts);
    matchers.set(pattern, matcher);
  }
  const parsed = typeof uri === 'string' ? parseUri(uri) : uri;
  return parsed && matchUri(matcher, parsed);
}

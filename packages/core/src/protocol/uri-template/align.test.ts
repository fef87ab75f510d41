import { describe, expect, it } from 'vitest';
import { align } from './align.ts';
import { parsePattern } from './grammar.ts';
import { compileMatcher, matchUri } from './match.ts';
import { parseUri, type ParsedUri, unitsOf } from './units.ts';

/** How often the matcher looked at a character of the URI. */
function looks(template: string, uri: string): number {
  let count = 0;
  const units = new Proxy(unitsOf(uri) ?? [], {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) count++;
      return Reflect.get(target, key, receiver);
    },
  });
  align(compileMatcher(parsePattern(template).parts).steps, units);
  return count;
}

describe('hostile URIs (JR-36)', () => {
  const length = 50_000;
  const hostile: [template: string, uri: string, matches: boolean][] = [
    ['{a}{b}{c}{d}{e}', 'a'.repeat(length), true],
    ['{a}{b}{c}{d}{e}', `${'a'.repeat(length)}/`, false],
    ['{+a}{+b}{+c}{+d}!', 'a'.repeat(length), false],
    ['{+a}/x/{+b}/x/{+c}/y', '/x'.repeat(length / 2), false],
    ['{a}{.b}{.c}{.d}', '.'.repeat(length), true],
    ['{/a*}{/b*}{/c*}/end', '/'.repeat(length), false],
    ['{a:9999}{b:9999}{c}', 'a'.repeat(length), true],
    ['{a*}{b*},x', ','.repeat(length), false],
    ['{?a*}{&b*}{&c}', `?${'&a=1'.repeat(length / 4)}`, true],
    ['{;a*}{;b*}', ';a'.repeat(length / 2), true],
    ['{x}', '%41'.repeat(length / 3), true],
  ];

  it.each(hostile)('%s is decided', (template, uri, matches) => {
    expect(matchUri(compileMatcher(parsePattern(template).parts), parseUri(uri) as ParsedUri) !== undefined).toBe(
      matches,
    );
  });

  it.each(hostile)('%s looks at each character a bounded number of times', (template, uri) => {
    const steps = compileMatcher(parsePattern(template).parts).steps.length;
    const counted = looks(template, uri);
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(2 * steps * (uri.length + 1));
  });
});

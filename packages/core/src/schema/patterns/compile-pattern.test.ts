import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildAutomaton } from './automaton.ts';
import { PatternCache, compilePattern } from './compile-pattern.ts';
import { LinearPattern } from './linear-pattern.ts';
import { Condition, type Part, parsePattern } from './parse.ts';

const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\d', '\\p{L}', '-', 'é', '😀', '\\s');
const condition = fc.constantFrom('^', '$', '\\b', '\\B');
const times = fc.constantFrom('*', '+', '?', '*?', '{2}', '{0,2}', '{1,}', '{2,3}');
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    // Deeper ones would take RegExp too long.
    { maxDepth: 3, depthSize: 'medium' },
    { weight: 3, arbitrary: atom },
    { weight: 1, arbitrary: condition },
    { weight: 3, arbitrary: fc.array(tie('pattern'), { minLength: 0, maxLength: 3 }).map((parts) => parts.join('')) },
    {
      weight: 2,
      arbitrary: fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }).map((o) => `(?:${o.join('|')})`),
    },
    { weight: 3, arbitrary: fc.tuple(tie('pattern'), times).map(([part, count]) => `(${part})${count}`) },
  ),
}));

function kindOf(text: string): 'native' | 'linear' | 'timed' {
  const { regexp, costly } = compilePattern(text);
  if (regexp instanceof LinearPattern) return 'linear';
  return costly ? 'timed' : 'native';
}

describe('a regular expression that is known to be fast', () => {
  it.each([
    '',
    '^',
    'a',
    '^a+$',
    '^[a-z]+$',
    '^[A-Za-z_][A-Za-z0-9_]*$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^\\d{1,3}(\\.\\d{1,3}){3}$',
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    '^(red|green|grey)$',
    '^(?<scheme>https?)://',
    '^[a-z]+(-[a-z]+)*$',
    '^\\p{L}+$',
    '^\\+?[1-9]\\d{1,14}$',
    '^#[0-9a-fA-F]{6}$',
    '^(?:^a|^b)c*$',
    'foo|bar',
    '\\.(png|jpe?g)$',
    '^.{1,100}$',
    '^[^/]+/[^/]+$',
  ])('runs on RegExp: %s', (text) => {
    expect(kindOf(text)).toBe('native');
  });
});

describe('a regular expression that may be slow', () => {
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(a|a)*$',
    '^(a*)*$',
    '^(a?){30}a{30}$',
    '^(a?){30}b$',
    '^(a|b|ab)*c$',
    '^(.*)*x$',
    '^([a-z]+\\d?)+$',
    '^(\\w+\\s?)*$',
    '^.*a.*b.*c$',
    '\\s+$',
    'a*b',
    '[a-z]+@',
    '^\\S+@\\S+\\.\\S+$',
    `^${'(|)'.repeat(20)}b$`,
    '^(?:a{1,10}){1,10}$',
    '^(a+|b)+$',
    '^(\\p{L}|\\p{Lu})+$',
    '^(é|[^a])+$',
  ])('is tested in linear time: %s', (text) => {
    expect(kindOf(text)).toBe('linear');
  });

  it.each([
    ['looks ahead', '^(?=.*\\d)(a+)+$'],
    ['looks behind', '(?<!a)(a+)+$'],
    ['refers back', '^(a+)+\\1$'],
    ['refers back by name', '^(?<x>a+)+\\k<x>$'],
    ['is long', '^(a{1,100}){1,100}$'],
    ['is deep', `${'('.repeat(51)}a${')'.repeat(51)}`],
    ['has many steps', `^(${Array.from({ length: 400 }, () => 'a').join('|')})*$`],
  ])('needs a time limit if it %s', (_, text) => {
    expect(kindOf(text)).toBe('timed');
  });
});

describe('the regular expressions of a schema', () => {
  it('are compiled once, up to a limit for linear ones', () => {
    const patterns = new PatternCache();
    expect(patterns.of('^(a+)+$')).toBe(patterns.of('^(a+)+$'));
    for (let count = 1; count < 50; count += 1) {
      expect(patterns.of(`^(a+)+${count}$`).regexp).toBeInstanceOf(LinearPattern);
      expect(patterns.of(`^a+${count}$`).costly).toBe(false);
    }
    const more = patterns.of('^(b+)+$');
    expect([more.regexp instanceof LinearPattern, more.costly]).toEqual([false, true]);
    expect(patterns.of('^(a+)+$').regexp).toBeInstanceOf(LinearPattern);
    expect(patterns.of('^b+$').costly).toBe(false);
  });
});

describe('a linear regular expression', () => {
  const linear = (text: string): LinearPattern => new LinearPattern(text, buildAutomaton(text));

  it('matches like RegExp', () => {
    const sources = [
      '',
      '^',
      '$',
      '^$',
      '\\b',
      '\\B',
      '^\\B$',
      'a|',
      '(?:)',
      '(a|)*',
      '()',
      '^(|a)+$',
      'a{0}',
      '(?:a{0}b)?',
      '^(a+)+$',
      '(ab|a)(bc|c)',
      '\\bfoo\\b',
      '\\Boo\\B',
      '^\\w+\\b.\\b',
      '(^a|b$)',
      'x(^|y)',
      '($|y)x',
      '(a|^)(b|$)',
      '^.$',
      '.',
      '[^]',
      '[^a]',
      '\\s',
      '\\S+',
      '\\D',
      '\\W',
      '\\d{2,}',
      '\\u{1F600}',
      '\\ud83d\\ude00',
      '\\ud83d',
      '😀+',
      '\\p{Lu}',
      '\\P{L}+$',
      '[\\p{L}\\d_-]',
      '\\/',
      '\\^\\$\\\\',
      '[\\]\\\\]',
      '[\\b]',
      '\\x41',
      '\\cJ',
      '\\0',
      '[a\\-z]',
      'é',
      'a*?b',
      'a+?',
      'a??b',
      'a{1,2}?c',
      '(?<n>a)(?:b)',
      '^(?:\\b){2}a',
      '(\\b|a)*b',
      '(?:a?){3}',
      '(?:a|b){2,3}$',
    ];
    const texts = [
      '',
      'a',
      'b',
      'ab',
      'abc',
      'aab',
      'aaaa!',
      'foo',
      'a foo b',
      'foot',
      'oo',
      'A',
      'x',
      'yx',
      'xy',
      'é',
      '中',
      '12',
      '7',
      '😀',
      '😀😀',
      '\ud83d',
      '\ude00\ud83d',
      'a\nb',
      '\n',
      '\u2028',
      ' ',
      '\t',
      '/',
      '^$\\',
      ']',
      '\\',
      '\b',
      '\0',
      '-',
      '_a-1',
      'z',
    ];
    for (const source of sources) {
      const native = new RegExp(source, 'u');
      const own = linear(source);
      const matching = texts.filter((text) => own.test(text));
      expect([source, matching]).toEqual([source, texts.filter((text) => native.test(text))]);
    }
  });

  const short = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '-', ' ', '1', 'é', '😀', '\ud83d', '\n'),
    maxLength: 6,
  });

  it('matches any text like RegExp', () => {
    // V8 of Node 26 does not find the end of a text behind a character of two halves that such a class takes.
    const seesEnds = /[^a]$/u.test('😀');
    fc.assert(
      fc.property(pattern, fc.array(short, { minLength: 1, maxLength: 8 }), (source, given) => {
        // V8 matches `\\B` between the halves of a surrogate pair, which the specification does not allow.
        const texts = /\\b/i.test(source) || !seesEnds ? given.map((text) => text.replaceAll('😀', 'é')) : given;
        const native = new RegExp(source, 'u');
        const own = linear(source);
        expect([source, texts.map((text) => own.test(text))]).toEqual([source, texts.map((text) => native.test(text))]);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes time proportional to the text, and bounds its cache of transitions', () => {
    const text = `${'a'.repeat(500_000)}!`;
    for (const source of ['^(a+)+$', '(a|a)+$', '^(a|aa)+$', '(a*)*b']) expect(linear(source).test(text)).toBe(false);
    const own = linear('(a|b)*a(a|b){20}c');
    const random = Array.from({ length: 60_000 }, (_, index) => 'ab'[(index * index * 7 + (index >> 3)) % 2]).join('');
    expect(own.test(random)).toBe(false);
    expect(own.test(`${random}a${'b'.repeat(20)}c`)).toBe(true);
    const all = Array.from({ length: 60_000 }, (_, index) => String.fromCodePoint(0x10000 + index)).join('');
    expect(linear('^(.+)+x$').test(all)).toBe(false);
    expect(linear('^(.+)+x$').test(`${all}x`)).toBe(true);
  });

  it('returns its source unchanged', () => {
    expect(String(linear('^(a+)+/$'))).toBe('^(a+)+/$');
  });
});

/** Searches as `RegExp` does, path by path, and counts the characters that it compares, up to `most`. */
function stepsOf(source: string, text: string, most: number): number {
  const isWord = (at: number): boolean => /^\w$/.test(text[at] ?? '');
  let steps = 0;
  type Then = (at: number) => boolean;

  function repeat(part: Part, min: number, max: number, at: number, then: Then): boolean {
    if (max === 0) return then(at);
    const more = (): boolean =>
      run(part, at, (next) => (min <= 0 && next === at ? false : repeat(part, min - 1, max - 1, next, then)));
    return more() || (min <= 0 && then(at));
  }

  function run(part: Part, at: number, then: Then): boolean {
    if (steps > most) return true;
    switch (part.kind) {
      case 'character':
        steps += 1;
        return at < text.length && new RegExp(`^(?:${part.source})$`, 'u').test(text[at] ?? '') && then(at + 1);
      case 'condition': {
        const isBoundary = isWord(at - 1) !== isWord(at);
        const here: Record<number, boolean> = { [Condition.start]: at === 0, [Condition.end]: at === text.length };
        const holds = here[part.condition] ?? isBoundary === (part.condition === Condition.boundary);
        return holds && then(at);
      }
      case 'sequence': {
        const from = (index: number, place: number): boolean =>
          index === part.parts.length
            ? then(place)
            : run(part.parts[index] as Part, place, (next) => from(index + 1, next));
        return from(0, at);
      }
      case 'choice':
        return part.options.some((option) => run(option, at, then));
      case 'repeat':
        return repeat(part.part, part.min, part.max, at, then);
    }
  }

  const part = parsePattern(source);
  for (let at = 0; at <= text.length && !run(part, at, () => true); at += 1);
  return steps;
}

describe('an expression that runs on RegExp', () => {
  const long = fc.tuple(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', '1'), maxLength: 3 }),
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', '1'), minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '!', '\n', 'a'),
  );

  it('has a correct step count: slow expressions take many steps', () => {
    const text = `${'a'.repeat(40)}!`;
    expect(stepsOf('^a+$', text, 1e6)).toBeLessThan(100);
    for (const slow of ['^(a+)+$', '^(a|a)*$', '^(a?){30}b$']) expect(stepsOf(slow, text, 1e5)).toBeGreaterThan(1e5);
    expect(stepsOf('a*b', 'a'.repeat(200), 1e6)).toBeGreaterThan(200 * 100);
  });

  it('reads each character only a few times, for any text', () => {
    const anchored = fc.tuple(pattern, fc.boolean()).map(([source, start]) => (start ? `^(?:${source})$` : source));
    fc.assert(
      fc.property(anchored, long, (source, [begin, again, end]) => {
        fc.pre(kindOf(source) === 'native');
        const text = begin + again.repeat(400).slice(0, 400) + end;
        // Work for the whole text, or per position of it: far below quadratic.
        const most = 5000 + text.length * (16 + source.length);
        expect([source, stepsOf(source, text, most * 2) <= most]).toEqual([source, true]);
      }),
      { numRuns: 1000 },
    );
  });
});

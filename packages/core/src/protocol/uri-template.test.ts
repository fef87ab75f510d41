import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTemplate } from './fixtures/parse-template.ts';

const values = {
  var: 'value',
  hello: 'Hello World!',
  half: '50%',
  path: '/foo/bar',
  empty: '',
  x: '1024',
  y: '768',
  list: ['red', 'green', 'blue'],
  none: [],
  undef: undefined,
  snow: '☃❄',
};

describe('expanding', () => {
  it.each([
    ['{var}{hello}', 'valueHello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X{undef}Y{none}', 'OXY'],
    ['X{#none}{?none*}{/none}{;none}', 'X'],
    ['map?{x,y}', 'map?1024,768'],
    ['{var:3}/{snow:1}', 'val/%E2%98%83'],
    ['{list}/{list*}', 'red,green,blue/red,green,blue'],
    ['{+path}/here?ref={+hello}', '/foo/bar/here?ref=Hello%20World!'],
    ['{+half}', '50%25'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['X{.var,x}{.list}{.list*}', 'X.value.1024.red,green,blue.red.green.blue'],
    ['{/var:1,var}{/empty}{/list*}', '/v/value//red/green/blue'],
    ['{;x,empty,undef}{;list}{;list*}', ';x=1024;empty;list=red,green,blue;list=red;list=green;list=blue'],
    ['{?x,empty,undef}{&list}{&list*}', '?x=1024&empty=&list=red,green,blue&list=red&list=green&list=blue'],
    ['/é/%41{var}', '/%C3%A9/%41value'],
  ])('writes %s as RFC 6570 says', (template, uri) => {
    expect(parseTemplate(template).expand(values)).toBe(uri);
  });

  it('keeps escapes in reserved values and encodes a lone % sign', () => {
    expect(parseTemplate('{+x}').expand({ x: '%2F%zz' })).toBe('%2F%25zz');
    expect(parseTemplate('{+x}{x}').expand({ x: '\t' })).toBe('%09%09');
  });

  it('takes only own members of the values', () => {
    expect(parseTemplate('{toString}{__proto__}').expand({})).toBe('');
  });

  it('does not shorten a list', () => {
    expect(() => parseTemplate('{x:2}').expand({ x: ['a'] })).toThrow("drop ':2'");
  });
});

describe('a malformed template', () => {
  it.each([
    ['a/{id', 2, "add '}'"],
    ['a}b', 1, '%7D'],
    ['a b', 1, '%20'],
    ['100%', 3, '%25'],
    ['a%2', 1, '%25'],
    ['a%2x', 1, '%25'],
    ['a\tb', 1, 'as %09'],
    [`{${'-'.repeat(50)}}`, 1, `"${'-'.repeat(40)}" is not a variable`],
    ['{}', 1, 'name a variable'],
    ['{=x}', 1, 'use one of'],
    ['{|x}', 1, 'use one of'],
    ['{?x, y}', 4, 'not a variable'],
    ['{a{b}', 1, 'not a variable'],
    ['{x:0}', 1, 'not a variable'],
    ['{x:10000}', 1, 'not a variable'],
    ['{x:3*}', 1, 'not a variable'],
    ['{x..y}', 1, 'not a variable'],
    ['{?}', 2, 'not a variable'],
    ['x/{note-id}', 3, 'not a variable'],
  ])('%s is rejected with its position and what to do', (text, position, advice) => {
    const parse = () => parseTemplate(text);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(`at position ${position}:`);
    expect(parse).toThrow(advice);
  });
});

describe('matching', () => {
  it.each([
    ['notes://{id}', 'notes://note_1', { id: 'note_1' }],
    ['notes://{id}', 'notes://a%2Fb%20%C3%A9', { id: 'a/b é' }],
    ['notes://{id}', 'notes://é', { id: 'é' }],
    ['notes://{id}', 'notes://50%25', { id: '50%' }],
    ['notes://{id}', 'notes://', undefined],
    ['notes://{id}', 'notes://a/b', undefined],
    ['notes://{id}', 'notes://a?b', undefined],
    ['notes://{id}', 'notes://a#b', undefined],
    ['notes://{id}', 'notes://%zz', undefined],
    ['notes://{id}', 'notes://%', undefined],
    ['notes://{id}', 'notes://%FF', undefined],
    ['notes://{id}', 'Notes://x', undefined],
    ['config://server', 'config://server', {}],
    ['config://server', 'config://server/', undefined],
    ['/caf%c3%a9/{x}', '/café/1', { x: '1' }],
    ['/a%2Fb/{x}', '/a/b/1', undefined],
    ['/bad%FF', '/bad%FF', undefined],
    ['/bad%FF', '', undefined],
    ['{x}', '/', undefined],
    ['{x}', 'a/', undefined],
    ['{x,y}', '1,2', { x: '1', y: '2' }],
    ['{x,y}', '1', { x: '1' }],
    ['{x,y}', '1,', undefined],
    ['{x*}', 'a,b%2Cc', { x: ['a', 'b,c'] }],
    ['{x*,y}', 'a,b,c', { x: ['a', 'b'], y: 'c' }],
    ['{x,y*}', '1,2,3', { x: '1', y: ['2', '3'] }],
    ['{x,y*,z}', '1,2,3,4', { x: '1', y: ['2', '3'], z: '4' }],
    ['file://{+path}', 'file:///a/b.txt?c#d', { path: '/a/b.txt?c#d' }],
    ['{+path}.{ext}', 'a/b.c/d.txt', { path: 'a/b.c/d', ext: 'txt' }],
    ['{+path}{?line}', 'a/b?line=3', { path: 'a/b', line: '3' }],
    ['{+path}{?line}{#at}', 'a/b#x?y', { path: 'a/b', at: 'x?y' }],
    ['{+path}!{?line}', 'a?b!', undefined],
    ['{+path}!{#at}', 'a#b!', undefined],
    ['{?q}x{+rest}', '?q=1x/a?b', { q: '1', rest: '/a?b' }],
    ['{?q}{+rest}', '?q=1#a?b', { q: '1', rest: '#a?b' }],
    ['{#at}!{?line}', '#x?y!', { at: 'x?y' }],
    ['a{#x,y}', 'a#1,2,3', { x: '1', y: '2,3' }],
    ['a{#x}', 'a', {}],
    ['{name}{.ext}', 'a.b.txt', { name: 'a.b', ext: 'txt' }],
    ['{name}{.ext}', 'readme', { name: 'readme' }],
    ['a{.x*}', 'a.b.c', { x: ['b', 'c'] }],
    ['a{.x*}', 'a.b/c', undefined],
    ['a{.x,y}', 'a.1.2.3', { x: '1.2', y: '3' }],
    ['/n{/x,y}', '/n/1/2', { x: '1', y: '2' }],
    ['/n{/x,y}', '/n/1', { x: '1' }],
    ['/n{/x,y}', '/n/1/2/3', undefined],
    ['/n{/x}', '/n/', { x: '' }],
    ['/n{/x*}/end', '/n/1//2/end', { x: ['1', '', '2'] }],
    ['/n{/x*}', '/n/1?y', undefined],
    ['/n{/x*}', '/n/1#y', undefined],
    ['/n{/first}{/rest*}', '/n/1/2/3', { first: '1', rest: ['2', '3'] }],
    ['/n{;x,y}', '/n;y=2;x', { x: '', y: '2' }],
    ['/n{;x}/end', '/n;x=1/end', { x: '1' }],
    ['/n{?x,y}', '/n?y=2&x=a%26b/c', { x: 'a&b/c', y: '2' }],
    ['/n{?x,y}', '/n?x=1+1', { x: '1+1' }],
    ['/n{?x,y}', '/n', {}],
    ['/n{?x,y}', '/n?', {}],
    ['/n{?x,y}', '/n?z=1', undefined],
    ['/n{?x,y}', '/n?x=1&x=2', undefined],
    ['/n{?x*}', '/n?x=1&x=2', { x: ['1', '2'] }],
    ['/n{?x}', '/n?x=1,2', { x: '1,2' }],
    ['/n{?x}{&y,z*}', '/n?z=1&y=2&z=3&x=4', { x: '4', y: '2', z: ['1', '3'] }],
    ['/n?v=1{&x}', '/n?v=1&x=2', { x: '2' }],
    ['/n{?a%20b}', '/n?a%20b=1', { 'a%20b': '1' }],
    ['{x:3}', 'abc', { x: 'abc' }],
    ['{x:3}', 'abcd', undefined],
    ['{x:2}', '%E2%98%83😀', { x: '☃😀' }],
    ['{x:2,y}', 'abc,d', undefined],
    ['{x:2,y}', 'ab,cde', { x: 'ab', y: 'cde' }],
    ['/n{?x}', '/n?x=1#y', undefined],
    ['{?x:2}', '?x=ab', { x: 'ab' }],
    ['{?x:2}', '?x=abc', undefined],
    ['{x:2}{y}', 'abcde', { x: 'ab', y: 'cde' }],
    ['{x:1}/{x}', 'v/value', { x: 'value' }],
    ['{x}/{x:1}', 'value/w', undefined],
    ['{x}/{x:1}', 'value/v', { x: 'value' }],
    ['{x}/{x:1}/{x:2}', 'a/a/ab', undefined],
    ['{x:1}/{x}/{x}', 'a/a/ab', undefined],
    ['{x}/{x}', 'a/b', undefined],
    ['{/x*}{?x*}', '/a/b?x=a&x=b', { x: ['a', 'b'] }],
    ['{/x*}{?x*}', '/a/b?x=a', undefined],
    ['{a}{b}{c}', 'wxyz', { a: 'wx', b: 'y', c: 'z' }],
    ['{a}{b}{c}', 'wx', undefined],
  ])('%s against %s', (template, uri, wanted) => {
    const found = parseTemplate(template).match(uri);
    expect(found && { ...found }).toEqual(wanted);
  });

  it('names each variable once, in order', () => {
    expect(parseTemplate('{b}/{a:1}/{b}{?c*}').variables).toEqual(['b', 'a', 'c']);
  });

  it('treats prototype names as names', () => {
    const { match } = parseTemplate('{__proto__}/{constructor}{?toString}');
    const found = match('a/b?toString=c');
    expect(Object.getPrototypeOf(found)).toBe(null);
    expect(Object.entries(found ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['toString', 'c'],
    ]);
    expect(match('a/b?valueOf=c')).toBe(undefined);
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
const loose = fc.string({ unit: 'grapheme', maxLength: 8 });
const undotted = loose.map((value) => value.replaceAll('.', '_'));
const unescaped = loose.map((value) => value.replaceAll('%', '_'));
const reserved = fc.string({ unit: fc.constantFrom(...'aé /:@;=,.&*'.split('')), minLength: 1, maxLength: 8 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const list = (value: fc.Arbitrary<string>) => maybe(fc.array(value, { minLength: 1, maxLength: 4 }));

const part = (before: string, after: string, value: fc.Arbitrary<string | string[] | undefined>) =>
  value.map((given) => ({ write: (name: string) => `{${before}${name}${after}}`, given }));
const inner = fc.oneof(
  part('', '', text),
  part('', ':8', fc.string({ unit: fc.constantFrom('a', 'é', '☃', '😀'), minLength: 1, maxLength: 8 })),
  part('', '*', fc.array(text, { minLength: 1, maxLength: 4 })),
  part('+', '', reserved),
  part('/', '', maybe(loose)),
  part('/', '*', list(loose)),
  part('.', '', maybe(loose)),
  part('.', '*', list(undotted)),
  part(';', '', maybe(loose)),
  part(';', '*', list(loose)),
);
const last = fc.oneof(part('?', '', maybe(loose)), part('?', '*', list(loose)), part('#', '', maybe(unescaped)));

describe('for all templates and URIs', () => {
  it('match gives back what expand was given', () => {
    fc.assert(
      fc.property(fc.array(inner, { maxLength: 6 }), last, (parts, end) => {
        const all = [...parts, end].map(({ write, given }, index) => ({ text: write(`v${index}`), given }));
        const template = parseTemplate(`x://h!${all.map((one) => one.text).join('!')}`);
        const given = Object.fromEntries(all.map((one, index) => [`v${index}`, one.given]));
        const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const found = template.match(template.expand(given));
        expect(found).toBeDefined();
        expect({ ...found }).toEqual(present);
      }),
      { numRuns: 2000 },
    );
  });

  it('no URI and no template makes it throw anything but a TypeError of the template', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'{}+#./;?&=,*:%2fFxy1é\ud800😀'.split('')), maxLength: 30 });
    const templates = fc.string({
      unit: fc.constantFrom('{x}', '{+y}', '{/z*}', '{?q,r}', '{.e}', '{#f}', '{y:2}', 'x', '/'),
    });
    fc.assert(
      fc.property(fc.oneof(noise, templates), noise, (template, uri) => {
        let parsed: ReturnType<typeof parseTemplate>;
        try {
          parsed = parseTemplate(template);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(['undefined', 'object']).toContain(typeof parsed.match(uri));
        expect(typeof parsed.expand({ x: uri, y: uri, z: [uri] })).toBe('string');
      }),
      { numRuns: 3000 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from './parse.ts';
import { findDuplicateMembers } from './duplicate-members.ts';

function find(text: string): Record<number, string> | undefined {
  const found = findDuplicateMembers(text, JSON.parse(text));
  return found && Object.fromEntries(found);
}

describe('a duplicate member of an object (JR-21)', () => {
  it.each([
    ['the method', '{"jsonrpc":"2.0","id":7,"method":"a","method":"b"}', 'method'],
    ['the params', '{"jsonrpc":"2.0","id":7,"method":"a","params":{},"params":{}}', 'params'],
    ['the name of a tool', '{"jsonrpc":"2.0","id":7,"method":"a","params":{"name":"a","name":"b"}}', 'name'],
    ['an address', '{"jsonrpc":"2.0","id":7,"method":"a","params":{"uri":"a:b","x":[{}],"uri":"a:b"}}', 'uri'],
    ['_meta', '{"jsonrpc":"2.0","id":7,"method":"a","params":{"_meta":{},"_meta":{}}}', '_meta'],
    ['in _meta', '{"jsonrpc":"2.0","id":7,"method":"a","params":{"_meta":{"a/b":1,"a/b":2}}}', 'a/b'],
    [
      'an argument',
      '{"jsonrpc":"2.0","id":7,"method":"a","params":{"arguments":{"region":"eu","region":"us"}}}',
      'region',
    ],
    ['in a list', '{"jsonrpc":"2.0","id":7,"method":"a","params":{"arguments":{"l":[1,{"x":1,"x":1}]}}}', 'x'],
    ['written otherwise', '{"jsonrpc":"2.0","id":7,"method":"a","m\\u0065thod":"b"}', 'method'],
    ['after white space', '{"jsonrpc":"2.0","id":7,"method" : "a",\n\t"method"\r: "b"}', 'method'],
    ['like a part of every object', '{"jsonrpc":"2.0","id":7,"method":"a","__proto__":1,"__proto__":2}', '__proto__'],
    ['without a name', '{"jsonrpc":"2.0","id":7,"method":"a","":0,"":0}', ''],
    ['a result', '{"jsonrpc":"2.0","id":7,"result":{},"result":{"a":1}}', 'result'],
    ['an error', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""},"error":{"code":2,"message":""}}', 'error'],
  ])('is rejected: %s', (_, text, name) => {
    const error = { code: -32600, message: `Invalid request: the member "${name}" stands twice in one object` };
    expect(parse(text)).toEqual({ kind: 'invalid', answer: { jsonrpc: '2.0', id: 7, error } });
  });

  it('is answered without an id if the id is the duplicate', () => {
    expect(parse('{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}')).toMatchObject({
      kind: 'invalid',
      answer: { id: null, error: { message: 'Invalid request: the member "id" stands twice in one object' } },
    });
  });

  it('is quoted briefly', () => {
    const name = 'x'.repeat(10_000);
    const parsed = parse(`{"${name}":1,"${name}":2}`);
    expect(parsed.kind === 'invalid' && parsed.answer.error.message.length).toBeLessThan(200);
  });

  it('invalidates only its own message of a batch', () => {
    const good = '{"jsonrpc":"2.0","id":1,"method":"a","params":{"l":[1,2,{"a":[1,2]}]}}';
    const bad = '{"jsonrpc":"2.0","id":2,"method":"a","method":"b"}';
    const parsed = parse(`[${good}, ${bad},${good},3]`);
    expect(parsed).toMatchObject({
      kind: 'batch',
      items: [{ kind: 'request' }, { kind: 'invalid', answer: { id: 2 } }, { kind: 'request' }, { kind: 'invalid' }],
    });
  });

  it('is found down to 60 levels, and after a long text', () => {
    const deep = `${'['.repeat(60)}{"a":1,"a":2}${']'.repeat(60)}`;
    expect(find(`{"x":${deep}}`)).toEqual({ 0: 'a' });
    expect(find(`{"x":"${'y'.repeat(1_000_000)}","x":1}`)).toEqual({ 0: 'x' });
  });

  it('is not hidden by short notations of numbers', () => {
    // 1e20 is parsed to a number that is written with 17 characters more, which is room for a member.
    const hidden = '"ab":"12345678",';
    expect(hidden.length).toBe('100000000000000000000'.length - '1e20'.length - 1);
    expect(find(`{"n":1e20,${hidden}${hidden}"c":""}`)).toEqual({ 0: 'ab' });
    for (const number of ['1e3', '12e4', '0.5', '5e-7', '-1', '-0', '1e400', '9007199254740993']) {
      expect(find(`{"n":${number}}`)).toBeUndefined();
      expect(find(`{"n":${number},"n":${number}}`)).toEqual({ 0: 'n' });
    }
  });
});

describe('text that only looks like a duplicate member', () => {
  it.each([
    ['in another object', '{"a":{"b":1},"c":{"b":2},"b":[{"b":1},{"b":1}]}'],
    ['in a text', '{"a":"\\"a\\":1,\\"a\\":2","b":"a"}'],
    ['in a list', '["a","a",{"a":"a"},"a"]'],
    ['in other letters', '{"a":1,"A":2,"ａ":3,"a\\u0000":4,"\\u0041b":5}'],
    ['as a name of a name', '{"a":"b","b":"a","c":"c"}'],
    ['with a backslash at its end', '{"a\\\\":1,"a":2,"b":"\\\\","c":"\\\\\\""}'],
    ['after what is empty', '{"a":{},"b":[],"c":[[]],"d":{"a":{}}}'],
  ])('is not one: %s', (_, text) => {
    expect(find(text)).toBeUndefined();
    expect(find(text.replaceAll(',', ' , '))).toBeUndefined();
  });

  it('is not one, however deep and long the text', () => {
    const levels = 100_000;
    expect(find(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).toBeUndefined();
    expect(find(`${'['.repeat(levels)} ${']'.repeat(levels)}`)).toBeUndefined();
    expect(find(`{"a":"${'\\"'.repeat(500_000)}"}`)).toBeUndefined();
    expect(find(`[${'{"a":1}, '.repeat(100_000)}1]`)).toBeUndefined();
  });
});

describe('any text', () => {
  type Node = { members: [string, Node][] } | { items: Node[] } | { leaf: unknown };
  const name = fc.oneof(fc.constantFrom('a', 'b', '', '"', '\\', 'é', '__proto__'), fc.string({ maxLength: 3 }));
  const leaf = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean());
  const { node } = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      fc.record({ leaf: fc.oneof(leaf, fc.constant(null)) }),
      fc.record({ items: fc.array(tie('node'), { maxLength: 4 }) }),
      fc.record({ members: fc.array(fc.tuple(name, tie('node')), { maxLength: 4 }) }),
    ),
  }));
  const space = fc.constantFrom('', '', '', ' ', '\n\t');

  function hasRepeated(one: Node): boolean {
    if ('leaf' in one) return false;
    if ('items' in one) return one.items.some(hasRepeated);
    const names = one.members.map(([own]) => own);
    return new Set(names).size < names.length || one.members.some(([, child]) => hasRepeated(child));
  }

  function write(one: Node, gap: () => string, text: (value: string) => string): string {
    const list = (parts: string[]): string => gap() + parts.join(`${gap()},${gap()}`) + gap();
    if ('leaf' in one) return typeof one.leaf === 'string' ? text(one.leaf) : JSON.stringify(one.leaf);
    if ('items' in one) return `[${list(one.items.map((item) => write(item, gap, text)))}]`;
    return `{${list(one.members.map(([own, child]) => `${text(own)}${gap()}:${gap()}${write(child, gap, text)}`))}}`;
  }

  const escapeAll = (text: string): string =>
    `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

  it('is classified correctly with any whitespace and escapes', () => {
    fc.assert(
      fc.property(node, fc.infiniteStream(space), fc.infiniteStream(fc.boolean()), (one, gaps, escapes) => {
        const text = write(
          one,
          () => gaps.next().value,
          (value) => (escapes.next().value ? escapeAll(value) : JSON.stringify(value)),
        );
        expect(find(text) !== undefined).toBe(hasRepeated(one));
        const compact = write(one, () => '', JSON.stringify);
        expect(find(compact) !== undefined).toBe(hasRepeated(one));
      }),
      { numRuns: 500 },
    );
  });
});

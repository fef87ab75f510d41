import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHeader, Mirror } from './mirror.ts';
import { mirroredArguments } from './mirrored-arguments.ts';

const marked = (mark: unknown, type = 'string'): object => ({ type, 'x-mcp-header': mark });
const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('marks in the schema of a tool', () => {
  it('are found at properties, however deep', () => {
    const found = mirroredArguments(schema({ a: marked('A'), b: schema({ c: marked('B-c', 'integer') }), d: {} }));
    expect(found).toEqual([
      { header: 'mcp-param-a', path: ['a'] },
      { header: 'mcp-param-b-c', path: ['b', 'c'] },
    ]);
  });

  it('are none where they are names or values of the author', () => {
    const properties = { 'x-mcp-header': { type: 'string' }, b: { const: { 'x-mcp-header': 'no' } } };
    expect(mirroredArguments(schema(properties))).toEqual([]);
  });

  it.each([
    ['empty', schema({ a: marked('') })],
    ['no text', schema({ a: marked(7) })],
    ['with a blank', schema({ a: marked('a b') })],
    ['with a colon', schema({ a: marked('a:') })],
    ['not ASCII', schema({ a: marked('ä') })],
    ['at a number', schema({ a: marked('A', 'number') })],
    ['at an object', schema({ a: { ...schema({}), 'x-mcp-header': 'A' } })],
    ['twice, in whatever case', schema({ a: marked('A'), b: marked('a') })],
    ['at the root', { ...schema({}), 'x-mcp-header': 'A' }],
    ['in items', schema({ a: { type: 'array', items: marked('A') } })],
    ['in a choice', schema({}, { anyOf: [schema({ a: marked('A') })] })],
    ['in a definition', schema({}, { $defs: { a: marked('A') } })],
  ])('that are %s spoil the tool (C-M-03)', (_, wrong) => {
    expect(mirroredArguments(wrong)).toEqual(expect.any(String));
  });
});

describe('a value in a header', () => {
  it.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['a\tb', 'a\tb'],
    [' a', '=?base64?IGE=?='],
    ['a\nb', '=?base64?YQpi?='],
    ['ä', '=?base64?w6Q=?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ])('of %j is %j (C-M-02)', (text, header) => {
    expect(encodeHeader(text)).toBe(header);
  });

  it('can always be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const header = encodeHeader(text);
        const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1];
        expect(header).toMatch(/^[\t\x20-\x7e]*$/);
        expect(encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()).toBe(text);
      }),
    );
  });
});

describe('the headers of a call', () => {
  it('repeat what the list of tools says, unless there is no value', () => {
    const mirror = new Mirror();
    const inputSchema = schema({ a: marked('A'), b: marked('B', 'boolean'), c: marked('C'), d: { type: 'string' } });
    mirror.learn({ tools: [{ name: 'x', inputSchema }] }, () => {});
    const params = { name: 'x', arguments: { a: '', b: false, c: null, d: 'no' }, _meta: {} };
    const headers = mirror.headers({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(headers).toMatchObject({ 'mcp-name': 'x', 'mcp-param-a': '', 'mcp-param-b': 'false' });
    expect(Object.keys(headers).filter((name) => name.startsWith('mcp-param-'))).toHaveLength(2);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MethodTable } from '../../../protocol/methods.ts';
import { encodeHeader, MirroredHeaders } from './mirrored-headers.ts';

const marked = (mark: unknown, type = 'string'): object => ({ type, 'x-mcp-header': mark });
const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('a header value', () => {
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

  it('can always be decoded', () => {
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

describe('the mirrored headers of a call', () => {
  it('mirror the arguments that the list of tools marks, if they have a value', () => {
    const mirror = new MirroredHeaders();
    const inputSchema = schema({ a: marked('A'), b: marked('B', 'boolean'), c: marked('C'), d: { type: 'string' } });
    mirror.recordTools({ tools: [{ name: 'x', inputSchema }] }, () => {});
    const params = { name: 'x', arguments: { a: '', b: false, c: null, d: 'no' }, _meta: {} };
    const headers = mirror.headersFor(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      new MethodTable().of('tools/call'),
    );
    expect(headers).toMatchObject({ 'mcp-name': 'x', 'mcp-param-a': '', 'mcp-param-b': 'false' });
    expect(Object.keys(headers).filter((name) => name.startsWith('mcp-param-'))).toHaveLength(2);
  });

  it('mirror nested arguments if they exist, and no inherited members', () => {
    const mirrored = new MirroredHeaders();
    const inner = schema({ b: marked('B'), toString: marked('C') });
    const list = { tools: [{ name: 'x', inputSchema: schema({ a: inner }) }] };
    expect(mirrored.recordTools(list, () => {})).toBe(list);
    const headers = (args: unknown): Record<string, string> => {
      const params = { name: 'x', arguments: args, _meta: {} };
      return mirrored.headersFor(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        new MethodTable().of('tools/call'),
      );
    };
    expect(headers({ a: { b: 'deep' } })).toHaveProperty('mcp-param-b', 'deep');
    for (const args of [undefined, {}, { a: 7 }, { a: {} }, { a: { b: {} } }]) {
      expect(Object.keys(headers(args)).filter((name) => name.startsWith('mcp-param-'))).toEqual([]);
    }
  });

  it('mirror a name if the method has one, and it is a string', () => {
    const mirrored = new MirroredHeaders();
    const facts = new MethodTable({ 'tickets/get': { mirrors: 'ticketId' } });
    const headers = (method: string, params: object): Record<string, string> =>
      mirrored.headersFor({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: {} } }, facts.of(method));
    expect(headers('tickets/get', { ticketId: 't1' })).toHaveProperty('mcp-name', 't1');
    expect(headers('tickets/get', { ticketId: 7, name: 'x' })).not.toHaveProperty('mcp-name');
    expect(headers('x/y', { name: 'x', undefined: 'x' })).not.toHaveProperty('mcp-name');
    expect(headers('x/y', {})).toHaveProperty('mcp-method', 'x/y');
  });

  it('are cached for the newest ten thousand tools', () => {
    const mirror = new MirroredHeaders();
    const inputSchema = schema({ a: marked('A') });
    const headersOf = (name: string): object =>
      mirror.headersFor(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { a: 'x' }, _meta: {} } },
        new MethodTable().of('tools/call'),
      );
    for (let index = 0; index <= 10_000; index += 1) {
      mirror.recordTools({ tools: [{ name: `t${index}`, inputSchema }] }, () => {});
    }
    expect(Object.keys(headersOf('t0'))).not.toContain('mcp-param-a');
    expect(Object.keys(headersOf('t1'))).toContain('mcp-param-a');
    expect(Object.keys(headersOf('t10000'))).toContain('mcp-param-a');
  });
});

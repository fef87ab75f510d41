import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Parsed } from './message.ts';
import { parse } from './parse.ts';
import { fastParseToolCall } from './fast-parse.ts';

const sender = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1', icons: [{ src: 'a:b' }, null] },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const orders = {
  'with the id first': (params: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
  'with the method first': (params: string) => `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":7}`,
};

function paramsOf(args: string, meta?: string): string {
  return `{"name":"echo","arguments":${args}${meta === undefined ? '' : `,"_meta":${meta}`}}`;
}

/** The classification of a text, without the message of a rejection, which contains the position. */
function meaningOf(text: string): unknown {
  const parsed: Parsed = parse(text);
  return parsed.kind === 'invalid' ? { ...parsed.answer.error, message: '' } : parsed;
}

/** A blank before a text leaves it to `JSON.parse`. */
function plainMeaningOf(text: string): unknown {
  return meaningOf(` ${text}`);
}

/** After a miss, the fast path is skipped for some texts. */
function forgetWariness(): void {
  for (let each = 0; each < 300; each++) fastParseToolCall('{}');
}

describe.each(Object.entries(orders))('a call of a tool %s', (_, write) => {
  it('is parsed from its arguments only', () => {
    forgetWariness();
    const text = write(paramsOf('{"a":[1,{"b":"c"}]}'));
    expect(fastParseToolCall(text)).toEqual(JSON.parse(text));
  });

  it('is parsed without a cached _meta, of which each call gets a copy', () => {
    forgetWariness();
    const text = write(paramsOf('{"a":1}', JSON.stringify(sender)));
    fastParseToolCall(text);
    fastParseToolCall(text);
    const first = fastParseToolCall(text);
    expect(first).toEqual(JSON.parse(text));
    const { _meta } = (first as NonNullable<typeof first>).params as { _meta: Record<string, Record<string, unknown>> };
    Object.assign(_meta['io.modelcontextprotocol/clientInfo'] as object, { name: 'changed' });
    ((_meta['io.modelcontextprotocol/clientInfo'] as { icons: unknown[] }).icons[0] as { src: string }).src = 'changed';
    _meta.more = {};
    expect(fastParseToolCall(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['_meta in a text', paramsOf(`{"a":",\\"_meta\\":{}}"}`)],
    ['_meta among the arguments', paramsOf('{"a":1,"_meta":{"b":1}}')],
    ['_meta twice', paramsOf('{"a":1},"_meta":{"c":1}', '{"b":1}')],
    ['a member twice', paramsOf('{"a":1,"a":2}')],
    ['a member twice, with an escape', paramsOf('{"a":1,"\\u0061":2}')],
    ['a member twice in _meta', paramsOf('{}', '{"b":1,"b":1}')],
    ['arguments twice', paramsOf('{},"arguments":{}')],
    ['more after the arguments', paramsOf('{},"task":{}')],
    ['escapes', paramsOf('{"a":"line\\nline \\u00e9 \\""}')],
    ['a member that is part of every object', paramsOf('{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}')],
    ['the same with escapes', paramsOf('{}', '{"\\u005f_proto__":{"a":1}}')],
    ['_meta that is no object', paramsOf('{}', '[1]')],
    ['_meta that is null', paramsOf('{}', 'null')],
    ['arguments that end too early', paramsOf('{}}')],
    ['arguments that do not end', paramsOf('{')],
    ['arguments that are no object', paramsOf('[]')],
    ['blanks', paramsOf(' { "a" : 1 } ')],
    ['a text that does not end', paramsOf('{"a":"')],
    ['a control character in a text', paramsOf('{"a":"\u0001"}')],
    ['64 levels', paramsOf(`{"a":${'['.repeat(61)}{"b":1,"b":1}${']'.repeat(61)}}`)],
    ['65 levels', paramsOf(`{"a":${'['.repeat(62)}{"b":1,"b":1}${']'.repeat(62)}}`)],
    ['a long text', paramsOf(`{"a":"${'x'.repeat(5000)}"}`)],
  ])('equals the result of JSON.parse, with %s', (__, params) => {
    for (let again = 0; again < 4; again++) {
      forgetWariness();
      expect(meaningOf(write(params))).toEqual(plainMeaningOf(write(params)));
    }
  });

  it('equals the result of JSON.parse for any arguments, _meta and damage to the text', () => {
    const json = fc.dictionary(fc.constantFrom('a', 'b', '_meta', 'arguments', 'é'), fc.jsonValue({ maxDepth: 2 }));
    const change = fc.record({
      at: fc.nat(200),
      drop: fc.nat(3),
      put: fc.constantFrom('', '', '{', '}', '"', ',', '\\', ':', ',"_meta":{}', '}}', ' ', '{}'),
    });
    const changes = fc.array(change, { maxLength: 2 });
    fc.assert(
      fc.property(json, fc.option(json, { nil: undefined }), changes, (args, meta, edits) => {
        let text = write(paramsOf(JSON.stringify(args), meta && JSON.stringify(meta)));
        for (const { at, drop, put } of edits) text = text.slice(0, at) + put + text.slice(at + drop);
        forgetWariness();
        for (let again = 0; again < 3; again++) expect(meaningOf(text)).toEqual(plainMeaningOf(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe('text without a fast path', () => {
  it.each([
    [
      'a number that JSON has not',
      '{"jsonrpc":"2.0","id":07,"method":"tools/call","params":{"name":"a","arguments":{}}}',
    ],
    ['a large number', `{"jsonrpc":"2.0","id":${2 ** 53},"method":"tools/call","params":{"name":"a","arguments":{}}}`],
    ['no end', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{}}'],
    ['no id', '{"method":"tools/call","params":{"name":"a","arguments":{}},"jsonrpc":"2.0"}'],
    ['more after the id', '{"method":"tools/call","params":{"name":"a","arguments":{}},"jsonrpc":"2.0","id":1} '],
    [
      'the id in the middle',
      '{"method":"tools/call","params":{"name":"a","arguments":{}},"jsonrpc":"2.0","id":1,"x":1}',
    ],
    ['another method', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"name":"a","arguments":{}}}'],
  ])('%s', (_, text) => {
    forgetWariness();
    expect(fastParseToolCall(text)).toBeUndefined();
    expect(meaningOf(text)).toEqual(plainMeaningOf(text));
  });

  it('skips the fast path for some texts after a miss', () => {
    forgetWariness();
    const call = orders['with the id first'](paramsOf('{"a":1}'));
    expect(fastParseToolCall(orders['with the id first'](paramsOf('{},"task":{}')))).toBeUndefined();
    expect(fastParseToolCall(call)).toBeUndefined();
    forgetWariness();
    expect(fastParseToolCall(call)).toBeDefined();
  });
});

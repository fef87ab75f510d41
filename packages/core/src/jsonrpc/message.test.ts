import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify, encode, isId, isObject, type Message, PreparedResult, type Response } from './message.ts';
import { parse } from './parse.ts';
import { anyText } from '../../../../test/support/any-text.ts';

function codeOf(text: string): number | undefined {
  const parsed = parse(text);
  return parsed.kind === 'invalid' ? parsed.answer.error.code : undefined;
}

function request(more: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"m"${more}}`;
}

describe('text that is not JSON is a parse error', () => {
  it.each([
    ['nothing at all', ''],
    ['white space', ' \t\r\n'],
    ['a word', 'ping'],
    ['undefined', 'undefined'],
    ['a literal in capitals', 'True'],
    ['a literal cut short', 'nul'],
    ['a literal with more', 'nulll'],
    ['not a number', 'NaN'],
    ['infinity', '-Infinity'],
    ['a number that begins with a plus', '+1'],
    ['a number that begins with a point', '.5'],
    ['a number that ends with a point', '5.'],
    ['a number with a leading zero', '01'],
    ['a hexadecimal number', '0x1F'],
    ['an exponent without digits', '1e'],
    ['two minus signs', '--1'],
    ['a number with separators', '1_000'],
    ['a big integer', '10n'],
    ['a comma after the last member', '{"a":1,}'],
    ['a comma after the last element', '[1,]'],
    ['two commas', '[1,,2]'],
    ['a comma too early', '[,1]'],
    ['no comma', '[1 2]'],
    ['a semicolon', '[1;2]'],
    ['no colon', '{"a" 1}'],
    ['two colons', '{"a"::1}'],
    ['an equals sign', '{"a"=1}'],
    ['a key that is no text', '{1:1}'],
    ['a key without quotes', '{a:1}'],
    ['single quotes', "{'a':1}"],
    ['backticks', '[`a`]'],
    ['a text that does not end', '"abc'],
    ['an escape that does not exist', '"\\x41"'],
    ['an escape cut short', '"\\u00"'],
    ['an escape with a letter too far', '"\\u00zz"'],
    ['a backslash at the end', '"\\"'],
    ['a tab in a text', '"\t"'],
    ['a line end in a text', '"\n"'],
    ['a control character in a text', '"\u001f"'],
    ['NUL between values', '[1,\u0000]'],
    ['NUL after the end', '{}\u0000'],
    ['a comment of a line', '{} // really'],
    ['a comment', '{/* really */}'],
    ['a byte order mark', '\ufeff{}'],
    ['a space that JSON does not know', '[\u00a0]'],
    ['a vertical tab', '[\u000b1]'],
    ['an object that does not end', '{"a":1'],
    ['a list that does not end', '[1'],
    ['brackets that do not match', '[}'],
    ['a bracket too many', '[]]'],
    ['two values', '{} {}'],
    ['a value and a word', '{}x'],
    ['a spread', '[...x]'],
    ['brackets without end', '['.repeat(100_000)],
    ['objects without end', '{"a":'.repeat(100_000)],
  ])('%s', (_, text) => {
    expect(parse(text)).toEqual({
      kind: 'invalid',
      answer: { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringMatching(/^Parse error: ./) } },
    });
  });

  it('reports it in one line, however long the text is', () => {
    const parsed = parse(`{"a": "${'x'.repeat(100_000)}`);
    expect(parsed.kind === 'invalid' && parsed.answer.error.message.length).toBeLessThan(300);
  });
});

describe('unusual JSON is accepted', () => {
  it.each([
    ['white space of all kinds', ` \t\r\n${request('')} \t\r\n`],
    ['members in any order', '{"method":"m","id":1,"jsonrpc":"2.0"}'],
    ['an escaped key', '{"jsonrpc":"2.0","\\u0069d":1,"method":"m"}'],
    ['members of any other name', request(',"extra":{"a":[]},"":1,"constructor":2')],
    ['a lone surrogate', request(',"params":{"a":"\\ud800","\\udfff":1}')],
    ['surrogates the wrong way round', request(',"params":{"a":"\\udc00\\ud800"}')],
    ['U+2028 as it is', request(',"params":{"a":"\u2028\u2029"}')],
    ['U+007F as it is', request(',"params":{"a":"\u007f"}')],
    ['escapes of all kinds', request(',"params":{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000"}')],
    ['a number too large', request(',"params":{"a":1e400,"b":-1e400}')],
    ['a number too small', request(',"params":{"a":1e-400,"b":-0}')],
    ['a number too long', request(`,"params":{"a":${'9'.repeat(500)}}`)],
    ['a number too exact', request(',"params":{"a":0.1000000000000000055511151231257827}')],
    ['lists in lists', request(`,"params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    ['objects in objects', request(`,"params":${'{"a":'.repeat(100_000)}{}${'}'.repeat(100_000)}`)],
    ['no text at all', request(',"params":{"":""}')],
  ])('%s', (_, text) => {
    expect(parse(text)).toMatchObject({ kind: 'request', message: { id: 1, method: 'm' } });
  });

  it('a member named __proto__ is an ordinary member', () => {
    const parsed = parse(request(',"params":{"__proto__":{"polluted":1}},"__proto__":{"id":2}'));
    expect(parsed).toMatchObject({ kind: 'request', message: { id: 1 } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('a message with inherited members has no own ones', () => {
    expect(codeOf('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}')).toBe(-32600);
  });
});

describe('JSON that is not a message is an invalid request', () => {
  it.each([
    'null',
    'true',
    '0',
    '"x"',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"id":1,"method":"m"}',
    '{"jsonrpc":2.0,"id":1,"method":"m"}',
  ])('%s', (text) => {
    expect(codeOf(text)).toBe(-32600);
  });

  it.each([
    ['a method that is no text', { method: 7 }],
    ['a method that is null', { method: null }],
    ['another version', { jsonrpc: '1.0', method: 'm' }],
    ['no method', {}],
  ])('%s, with its id', (_, members) => {
    for (const id of [7, 'seven']) {
      expect(classify({ jsonrpc: '2.0', id, ...members })).toMatchObject({
        kind: 'invalid',
        answer: { id, error: { code: -32600 } },
      });
    }
  });
});

describe('an invalid request gets an error that says what is wrong', () => {
  it.each([
    ['[]', 'the batch is empty'],
    ['3', 'a message is a JSON object'],
    ['{"id":1,"method":"m"}', '"jsonrpc" must be "2.0"'],
    ['{"jsonrpc":"2.0","id":1,"method":7}', '"method" must be a string'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"m"}', '"id" must be a string or an integer of at most 2^53 - 1'],
    ['{"jsonrpc":"2.0","id":1}', '"method" is missing'],
    ['{"jsonrpc":"2.0","id":1,"result":1}', 'malformed response'],
  ])('%s', (text, what) => {
    expect(parse(text)).toMatchObject({ answer: { error: { message: `Invalid request: ${what}` } } });
  });
});

describe('params that are not an object', () => {
  it.each([[[]], [[1]], [null], ['x'], [7], [false]])('are invalid params: %j', (params) => {
    const error = { code: -32602, message: 'Invalid params: "params" must be an object' };
    for (const id of [7, 'seven']) {
      expect(classify({ jsonrpc: '2.0', id, method: 'm', params })).toEqual({
        kind: 'invalid',
        answer: { jsonrpc: '2.0', id, error },
      });
    }
    expect(classify({ jsonrpc: '2.0', method: 'm', params })).toMatchObject({ kind: 'invalid', isNotification: true });
    expect(classify({ jsonrpc: '2.0', id: null, method: 'm', params })).toMatchObject({
      answer: { error: { code: -32600 } },
    });
  });
});

describe('ids', () => {
  it.each([[0], [-1], [1], [2 ** 53 - 1], [-(2 ** 53 - 1)], [1e3], [''], ['1'], ['ünï'], ['x'.repeat(1000)]])(
    '%j is valid',
    (id) => {
      expect(isId(id)).toBe(true);
      expect(classify({ jsonrpc: '2.0', id, method: 'm' })).toMatchObject({ kind: 'request', message: { id } });
    },
  );

  it.each([[null], [1.5], [2 ** 53], [-(2 ** 53)], [1e300], [true], [false], [{}], [[]], [[1]]])(
    '%j is invalid',
    (id) => {
      expect(isId(id)).toBe(false);
      expect(classify({ jsonrpc: '2.0', id, method: 'm' })).toMatchObject({
        kind: 'invalid',
        answer: { id: null, error: { code: -32600 } },
      });
    },
  );

  it('a message without an id is a notification, whatever its method', () => {
    expect(classify({ jsonrpc: '2.0', method: 'tools/list', params: {} })).toMatchObject({ kind: 'notification' });
  });
});

describe('responses', () => {
  it.each([
    [{ id: 1, result: {} }],
    [{ id: 'a', result: { a: 1 } }],
    [{ id: 1, error: { code: -1, message: 'No' } }],
    [{ id: 1, error: { code: -1, message: '', data: null } }],
    [{ id: null, error: { code: -32700, message: 'Parse error' } }],
    [{ error: { code: -32600, message: 'Invalid request' } }],
  ])('%j is valid', (members) => {
    expect(classify({ jsonrpc: '2.0', ...members })).toMatchObject({ kind: 'response', message: members });
  });

  it.each([
    [{ id: 1, result: null }],
    [{ id: 1, result: [] }],
    [{ id: 1, result: 'ok' }],
    [{ result: {} }],
    [{ id: null, result: {} }],
    [{ id: 1.5, result: {} }],
    [{ id: 1, result: {}, error: { code: 1, message: 'No' } }],
    [{ id: 1, error: null }],
    [{ id: 1, error: 'No' }],
    [{ id: 1, error: {} }],
    [{ id: 1, error: { code: '1', message: 'No' } }],
    [{ id: 1, error: { code: 1.5, message: 'No' } }],
    [{ id: 1, error: { code: 1, message: 2 } }],
  ])('%j is invalid', (members) => {
    expect(classify({ jsonrpc: '2.0', ...members })).toMatchObject({
      kind: 'invalid',
      answer: { error: { code: -32600 } },
    });
  });
});

describe('batches', () => {
  it('are parsed element by element', () => {
    const parsed = parse(
      `[${request('')}, {"jsonrpc":"2.0","method":"n"}, {"jsonrpc":"2.0","id":2,"result":{}}, 3, [${request('')}]]`,
    );
    expect(parsed.kind === 'batch' && parsed.items.map(({ kind }) => kind)).toEqual([
      'request',
      'notification',
      'response',
      'invalid',
      'invalid',
    ]);
  });

  it('without elements are one invalid request', () => {
    expect(parse('[]')).toMatchObject({ kind: 'invalid', answer: { id: null, error: { code: -32600 } } });
  });
});

describe('serialization', () => {
  const messages: (Message | Response[])[] = [
    { jsonrpc: '2.0', id: 1, method: 'm', params: { a: [1, 'x\n', null] } },
    { jsonrpc: '2.0', method: 'n' },
    { jsonrpc: '2.0', id: 'a"b\n', result: { text: 'ü\u2028' } },
    { jsonrpc: '2.0', id: -0, result: {} },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    [],
    [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'No', data: [] } },
    ],
  ];

  it.each(messages.map((message) => [message]))('%j is the same when it is parsed again', (message) => {
    const text = encode(message);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(message)));
  });

  it('includes serialized parts unchanged', () => {
    const result = new PreparedResult('{"tools": []}');
    expect(encode({ jsonrpc: '2.0', id: 'a', result })).toBe('{"jsonrpc":"2.0","id":"a","result":{"tools": []}}');
    expect(encode([{ jsonrpc: '2.0', id: 1, result }])).toBe('[{"jsonrpc":"2.0","id":1,"result":{"tools": []}}]');
  });

  it('serializes a prepared result as its value in any serializer', () => {
    expect(JSON.parse(JSON.stringify({ result: new PreparedResult('{"a":1}') }))).toEqual({ result: { a: 1 } });
  });

  it('a prepared result of another copy of this library is one too', async () => {
    const copy = './message.ts?copy';
    const other = (await import(copy)) as { encode: unknown; PreparedResult: typeof PreparedResult };
    expect(other.encode).not.toBe(encode);
    expect(new other.PreparedResult('{}')).toBeInstanceOf(PreparedResult);
  });

  it('throws for a value that JSON can not represent', () => {
    expect(() => encode({ jsonrpc: '2.0', id: 1, result: { big: 1n } })).toThrow(TypeError);
  });
});

describe('any input', () => {
  it('never causes an exception', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(['request', 'notification', 'response', 'invalid', 'batch']).toContain(parse(text).kind);
      }),
    );
  });

  it('is a request with its id, or rejected: any JSON in any member', () => {
    fc.assert(
      fc.property(
        fc.record({
          jsonrpc: fc.constantFrom('2.0', 2),
          id: fc.jsonValue(),
          method: fc.jsonValue(),
          params: fc.jsonValue(),
        }),
        (value) => {
          const { kind } = classify(JSON.parse(JSON.stringify(value)));
          const proper =
            value.jsonrpc === '2.0' &&
            (typeof value.id === 'string' || Number.isSafeInteger(value.id)) &&
            typeof value.method === 'string' &&
            isObject(value.params);
          expect(kind).toBe(proper ? 'request' : 'invalid');
        },
      ),
    );
  });

  it('is the same after serialization and parsing', () => {
    const message = fc.record({
      jsonrpc: fc.constant('2.0' as const),
      id: fc.oneof(fc.string(), fc.maxSafeInteger()),
      result: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    fc.assert(
      fc.property(message, (response) => {
        const parsed = parse(encode(response));
        expect(parsed).toEqual({ kind: 'response', message: JSON.parse(JSON.stringify(response)) });
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode, PreparedResult } from '../../jsonrpc/message.ts';
import { encodeTextResult } from './fast-encode.ts';
import { anyText } from '../../../../../test/support/any-text.ts';

const serverMeta = { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } };

const block = { type: 'text', text: 'hi' };
const result = { content: [block], isError: false };

function inherited(): object {
  return Object.create({ content: [block] }) as object;
}

class Own {
  content = [block];
  toJSON(): unknown {
    return { own: true };
  }
}

const write = (given: object, id: string | number = 7): string | undefined => encodeTextResult(id, given, serverMeta);
const asJson = (given: object, id: string | number = 7): string => encode({ jsonrpc: '2.0', id, result: given });

describe('a result of one text is written as JSON writes it', () => {
  it.each<[string, object]>([
    ['alone', result],
    ['for clients of the stateless era', { resultType: 'complete', ...result, _meta: serverMeta }],
  ])('%s', (_, given) => {
    for (const id of [7, 0, -1, 'a', '"\\']) expect(write(given, id)).toBe(asJson(given, id));
  });

  it.each<[string, object]>([
    ['a text with the members the other way round', { isError: false, content: [{ text: 'hi', type: 'text' }] }],
    ['an error', { content: [block], isError: true }],
    ['a text with what else is said', { ...result, _meta: { a: 1 } }],
    ['a text with something unknown', { ...result, more: 1 }],
    ['a text with nothing said', { ...result, _meta: undefined }],
    ['a text with data', { ...result, structuredContent: { a: 1 } }],
    ['two texts', { content: [block, block], isError: false }],
    ['no content', { content: [], isError: false }],
    ['a text with annotations', { content: [{ ...block, annotations: { priority: 1 } }], isError: false }],
    ['a text that is none', { content: [{ type: 'text', text: 1 }], isError: false }],
    ['another block', { content: [{ type: 'image', text: 'hi' }], isError: false }],
    ['a block without a text', { content: [{ type: 'text' }], isError: false }],
    ['a block that is none', { content: [null], isError: false }],
    ['questions', { resultType: 'input_required', ...result }],
    ['nothing', {}],
    ['what has its own way of writing', new Own()],
    ['a block with its own way of writing', { content: [Object.assign(new Own(), block)], isError: false }],
    ['content with its own way of writing', { content: Object.assign([block], { toJSON: () => 1 }), isError: false }],
    ['its own way, as a member', { ...result, toJSON: () => 1 }],
    ['what it inherits', inherited()],
    ['a block that inherits', { content: [Object.create(block)], isError: false }],
    ['a text that is prepared', new PreparedResult(JSON.stringify(result))],
  ])('and left to it: %s', (_, given) => {
    expect(write(given)).toBeUndefined();
  });

  it('whatever the text is', () => {
    const texts = fc.oneof(
      anyText(),
      fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\u2028', '"', '\\', '\n', 'a') }),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, stateless) => {
        const plain = { content: [{ type: 'text', text }], isError: false };
        const given = stateless ? { resultType: 'complete', ...plain, _meta: serverMeta } : plain;
        expect(write(given)).toBe(asJson(given));
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeResult } from './written-result.ts';

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

describe('a result is written as JSON writes it', () => {
  it.each<[string, object]>([
    ['a text', result],
    ['a text with the members the other way round', { isError: false, content: [{ text: 'hi', type: 'text' }] }],
    ['a text for clients of the stateless era', { resultType: 'complete', ...result, _meta: serverMeta }],
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
  ])('%s', (_, given) => {
    expect(writeResult(given, serverMeta)).toBe(JSON.stringify(given));
  });

  it('whatever the text is', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\u2028', '"', '\\', '\n', 'a') }),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, stateless) => {
        const plain = { content: [{ type: 'text', text }], isError: false };
        const given = stateless ? { resultType: 'complete', ...plain, _meta: serverMeta } : plain;
        expect(writeResult(given, serverMeta)).toBe(JSON.stringify(given));
      }),
    );
  });
});

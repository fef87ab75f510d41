import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTextTemplate, TemplateError } from './registration-tools.ts';

function render(template: string, values: Record<string, string> = {}): string {
  return parseTextTemplate(template).render(values);
}

function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `{p${index}}`).join('');
}

describe('a text template', () => {
  it('lists its placeholders once each, in order', () => {
    expect(parseTextTemplate('{b} {a} {b} {_c1}').placeholders).toEqual(['b', 'a', '_c1']);
    expect(parseTextTemplate('').placeholders).toEqual([]);
  });

  it('inserts values at every placeholder', () => {
    expect(render('The answer to {question} is 42; {question}!', { question: 'life' })).toBe(
      'The answer to life is 42; life!',
    );
    expect(render('{a}{b}', { a: '1', b: '' })).toBe('1');
  });

  it('reads doubled braces as literal ones', () => {
    expect(render('{{x}} {{{x}}} }}{{', { x: 'v' })).toBe('{x} {v} }{');
  });

  it('inserts values as text: no second expansion, no replacement patterns (TT-03)', () => {
    const values = { a: '{b} {{b}} }', b: "$& $1 $$ $` $'" };
    expect(render('{a}|{b}', values)).toBe(`${values.a}|${values.b}`);
  });

  it('treats prototype names as names (TT-02)', () => {
    const template = parseTextTemplate('{__proto__} {constructor} {toString}');
    const values: unknown = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}');
    expect(template.placeholders).toEqual(['__proto__', 'constructor', 'toString']);
    expect(template.render(values as Record<string, string>)).toBe('1 2 3');
    expect(() => template.render({})).toThrow("no value for the placeholder '__proto__'");
  });

  it.each([
    ['ab {x', "'{' at position 3 is never closed: add '}'"],
    ['ab {', "'{' at position 3 is never closed"],
    ['ab }', "'}' at position 3 closes nothing: write '}}'"],
    ['{x}}', "'}' at position 3 closes nothing"],
    ['{}', 'at position 0 is empty: use letters'],
    ['a{ x}', 'at position 1 is not a name (" x")'],
    ['{1x}', 'is not a name'],
    ['{x.y}', 'is not a name'],
    ['{process.exit()}', 'is not a name'],
    ['{é}', 'is not a name'],
    ['{x\n}', 'is not a name'],
    ['{a {b}}', 'is not a name ("a {b")'],
    [`{${'x'.repeat(65)}}`, 'at most 64'],
  ])('%j is rejected with its position and what to do (TT-01)', (template, message) => {
    expect(() => parseTextTemplate(template)).toThrow(TemplateError);
    expect(() => parseTextTemplate(template)).toThrow(message);
  });

  it('accepts its exact limits and nothing beyond', () => {
    expect(parseTextTemplate(placeholders(64)).placeholders).toHaveLength(64);
    expect(() => parseTextTemplate(placeholders(65))).toThrow('use at most 64');
    expect(parseTextTemplate(`{${'x'.repeat(64)}}`).placeholders).toHaveLength(1);
    expect(render('é'.repeat(32 * 1024))).toHaveLength(32 * 1024);
    expect(() => parseTextTemplate(`${'é'.repeat(32 * 1024)}.`)).toThrow('larger than 64 KiB');
    expect(render('{x}', { x: 'é'.repeat(512 * 1024) })).toHaveLength(512 * 1024);
    expect(() => render('{x}.', { x: 'é'.repeat(512 * 1024) })).toThrow('larger than 1 MiB');
  });

  it('stops at the output limit before it builds the output', () => {
    const template = parseTextTemplate('{x}'.repeat(20_000));
    expect(() => template.render({ x: 'y'.repeat(1024 * 1024) })).toThrow('larger than 1 MiB');
  });

  it('round-trips any text with doubled braces, and any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '$', 'a', '&') }), fc.string(), (text, value) => {
        const doubled = text.replaceAll(/[{}]/g, (brace) => brace + brace);
        expect(render(`${doubled}{x}${doubled}`, { x: value })).toBe(text + value + text);
      }),
    );
  });
});

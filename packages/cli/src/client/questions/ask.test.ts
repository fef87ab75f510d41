import { describe, expect, it } from 'vitest';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import type { Ask } from '../../terminal/terminal.ts';
import { createAsk, fillForm, confirmVisit } from './ask.ts';

/** A user who types these lines, then closes the input. */
function person(...lines: string[]): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(lines.shift());
    },
  };
}

const form = {
  mode: 'form' as const,
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name' },
      age: { type: 'integer' },
      colour: { enum: ['red', 'blue'] },
      size: {
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
        default: 's',
      },
    },
    required: ['name', 'colour'],
  },
};

describe('a form on the terminal', () => {
  it('is filled in field by field', async () => {
    const { ask, asked } = person('y', 'Ada', '36', 'blue', 'l');
    const content = { name: 'Ada', age: 36, colour: 'blue', size: 'l' };

    expect(await fillForm(form, ask)).toEqual({ action: 'accept', content });
    expect(asked[0]).toContain('Who are you?');
    expect(asked[1]).toBe('Your name (string): ');
    expect(asked[2]).toBe('age (integer, optional): ');
    expect(asked[4]).toBe('size ("s" | "l", optional) ["s"]: ');
  });

  it('repeats the prompt if it is unclear whether to answer', async () => {
    const { ask, asked } = person('green', 'nope', 'NO');
    expect(await fillForm(form, ask)).toEqual({ action: 'decline' });
    expect(asked.slice(1)).toEqual(Array(2).fill('Type y, n or c. [Y]es, [n]o, [c]ancel: '));
    const visitor = person('later', 'cancel');
    expect(await confirmVisit({ mode: 'url', message: 'Pay', url: 'https://x.test/' }, visitor.ask)).toEqual({
      action: 'cancel',
    });
  });

  it('allows to omit optional fields', async () => {
    const { ask } = person('', 'Ada', '', 'red', '');
    expect(await fillForm(form, ask)).toEqual({ action: 'accept', content: { name: 'Ada', colour: 'red' } });
  });

  it('shows bounds and formats, prompts again for an invalid field, and loses no answer', async () => {
    const requestedSchema = {
      type: 'object',
      properties: {
        people: { type: 'integer', minimum: 1, maximum: 20 },
        day: { type: 'string', format: 'date' },
        email: { type: 'string', format: 'email' },
        code: { type: 'string', minLength: 2, maxLength: 3 },
        extras: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 },
      },
      required: ['people', 'day', 'email'],
    };
    const lines = ['y', '50', '2.5', '4', '4', '2026-11-17', 'nomail', 'a@b.test', 'abcd', 'abc', '["a","b"]', '["b"]'];
    const { ask, asked } = person(...lines);
    expect(await fillForm({ mode: 'form', message: 'Book', requestedSchema }, ask)).toEqual({
      action: 'accept',
      content: { people: 4, day: '2026-11-17', email: 'a@b.test', code: 'abc', extras: ['b'] },
    });
    expect(asked[1]).toBe('people (integer, at least 1, at most 20): ');
    expect(asked[2]).toMatch(/^"people": must be .*20, got 50\npeople \(/);
    expect(asked[3]).toMatch(/^"people": expected integer, got 2.5\npeople \(/);
    expect(asked[4]).toBe('day (string, format: date): ');
    expect(asked[5]).toMatch(/^"day": .*date.*\nday \(/);
    expect(asked[7]).toMatch(/^"email": .*email.*\nemail \(/);
    expect(asked[8]).toBe('code (string, at least 2, at most 3 characters, optional): ');
    expect(asked[9]).toMatch(/^"code": must .*3.*\ncode \(/);
  });

  it('works for a schema or default that is nested thousands of levels deep', async () => {
    const value = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    let deep: object = {};
    for (let depth = 0; depth < 20_000; depth += 1) deep = { properties: { a: deep }, type: 'object' };
    const requestedSchema = { type: 'object', properties: { a: { ...deep, default: value } }, required: ['a'] };
    const { ask } = person('y', '{}');
    expect(await fillForm({ mode: 'form', message: 'Deep', requestedSchema }, ask)).toEqual({
      action: 'accept',
      content: { a: {} },
    });
  });

  it('prompts again for an invalid answer', async () => {
    const { ask, asked } = person('y', 'Ada', 'old', '36', 'green', 'red', '');
    expect(await fillForm(form, ask)).toMatchObject({ content: { age: 36, colour: 'red' } });
    expect(asked[3]).toContain('"age" must be a number: old');
    expect(asked[5]).toContain('"colour" must be one of "red", "blue": green');
  });

  it.each([
    [['n'], 'decline'],
    [['c'], 'cancel'],
    [[], 'cancel'],
    [['y', 'Ada'], 'cancel'],
  ])('with the input %j is answered with %s', async (lines, action) => {
    expect(await fillForm(form, person(...lines).ask)).toEqual({ action });
  });

  it('escapes control characters in every field', async () => {
    const asked: string[] = [];
    const lines = ['y', 'no', '1', 'y'];
    const question = async (text: string): Promise<string> => (asked.push(text), lines.shift() ?? '');
    const ask = createAsk(
      Object.assign(new EventEmitter(), { question }) as unknown as Parameters<typeof createAsk>[0],
    );
    const evil = 'a\u001B[2Jb\u009Bc\u202Ed\u{E0041}';
    const field = { type: 'number', title: evil, description: evil, default: evil, enum: [1, evil] };
    const requestedSchema = { type: 'object', properties: { [evil]: field }, required: [evil] };
    await fillForm({ mode: 'form', message: evil, requestedSchema }, ask);
    await confirmVisit({ mode: 'url', message: evil, url: evil }, ask);
    expect(asked).toHaveLength(4);
    for (const text of asked) expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202E|\u{E0041}/u);
    expect(asked[0]).toContain('a\\u001b[2Jb\\u009bc\\u202ed\\udb40\\udc41');
  });
});

describe('a URL elicitation', () => {
  it.each([
    [['y'], 'accept'],
    [['n'], 'decline'],
    [[], 'cancel'],
  ])('with the input %j is answered with %s', async (lines, action) => {
    const { ask, asked } = person(...lines);
    const question = { mode: 'url' as const, message: 'Sign in', url: 'https://example.com/sign-in' };
    expect(await confirmVisit(question, ask)).toEqual({ action });
    expect(asked[0]).toContain('https://example.com/sign-in');
  });
});

describe('an aborted question', () => {
  it('ends, and does not consume the next line', async () => {
    const input = new PassThrough();
    const terminal = createInterface({ input, output: new PassThrough() });
    const unwanted = new AbortController();
    const answer = createAsk(terminal, unwanted.signal)('Who? ');
    unwanted.abort();
    expect(await answer).toBeUndefined();

    const line = once(terminal, 'line');
    input.write('list\n');
    expect(await line).toEqual(['list']);
    terminal.close();
  });

  it('causes no warning, however often it is asked', async () => {
    const input = new PassThrough();
    const terminal = createInterface({ input, output: new PassThrough() });
    for (let count = 0; count < 20; count += 1) {
      const answer = createAsk(terminal)('Who? ');
      input.write('me\n');
      expect(await answer).toBe('me');
    }
    expect(terminal.listenerCount('close')).toBeLessThan(5);
    terminal.close();
  });
});

import { describe, expect, it } from 'vitest';
import { type Ask, fillIn, visit } from './ask.ts';

/** Somebody who types these lines and then goes away. */
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

    expect(await fillIn(form, ask)).toEqual({ action: 'accept', content });
    expect(asked[0]).toContain('Who are you?');
    expect(asked[1]).toBe('Your name (string): ');
    expect(asked[2]).toBe('age (integer, optional): ');
    expect(asked[4]).toBe('size ("s" | "l", optional) ["s"]: ');
  });

  it('leaves out what may be left out', async () => {
    const { ask } = person('', 'Ada', '', 'red', '');
    expect(await fillIn(form, ask)).toEqual({ action: 'accept', content: { name: 'Ada', colour: 'red' } });
  });

  it('asks again where an answer does not fit', async () => {
    const { ask, asked } = person('y', 'Ada', 'old', '36', 'green', 'red', '');
    expect(await fillIn(form, ask)).toMatchObject({ content: { age: 36, colour: 'red' } });
    expect(asked[3]).toContain('"age" must be a number: old');
    expect(asked[5]).toContain('"colour" must be one of "red", "blue": green');
  });

  it.each([
    [['n'], 'decline'],
    [['c'], 'cancel'],
    [[], 'cancel'],
    [['y', 'Ada'], 'cancel'],
  ])('after %j it is answered with %s', async (lines, action) => {
    expect(await fillIn(form, person(...lines).ask)).toEqual({ action });
  });

  it('shows nothing that steers the terminal', async () => {
    const { ask, asked } = person('n');
    await fillIn({ ...form, message: 'a\u001B[2Jb' }, ask);
    expect(asked[0]).toContain('a[2Jb');
  });
});

describe('an address to visit', () => {
  it.each([
    [['y'], 'accept'],
    [['n'], 'decline'],
    [[], 'cancel'],
  ])('after %j is answered with %s', async (lines, action) => {
    const { ask, asked } = person(...lines);
    const question = { mode: 'url' as const, message: 'Sign in', url: 'https://example.com/sign-in' };
    expect(await visit(question, ask)).toEqual({ action });
    expect(asked[0]).toContain('https://example.com/sign-in');
  });
});

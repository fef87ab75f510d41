import { describe, expect, it } from 'vitest';
import { type AnswerOptions, answerQuestion, capabilitiesOf } from './answers.ts';

const { signal } = new AbortController();

function ask(options: AnswerOptions, method: string, params?: Record<string, unknown>): Promise<object> {
  return answerQuestion(options, method, params, { signal });
}

const form = (properties: object): Record<string, unknown> => ({
  message: 'Please',
  requestedSchema: { type: 'object', properties },
});

describe('what a client declares', () => {
  const elicit = (): { action: 'cancel' } => ({ action: 'cancel' });

  it.each<[string, AnswerOptions, object]>([
    ['nothing', {}, {}],
    ['forms', { elicit }, { elicitation: { form: {} } }],
    ['pages', { elicitUrl: elicit }, { elicitation: { url: {} } }],
    ['both', { elicit, elicitUrl: elicit }, { elicitation: { form: {}, url: {} } }],
    ['roots', { roots: [] }, { roots: { listChanged: true } }],
  ])('is what it has functions for: %s', (_, options, expected) => {
    expect(capabilitiesOf(options)).toEqual(expected);
  });

  it('can be more', () => {
    const sample = (): never => {
      throw new Error();
    };
    const capabilities = { sampling: { tools: {} }, extensions: { 'com.example/x': {} } };
    expect(capabilitiesOf({ sample, capabilities })).toEqual(capabilities);
  });
});

describe('a form', () => {
  const properties = {
    name: { type: 'string', default: 'Ann' },
    age: { type: 'integer', default: 0 },
    member: { type: 'boolean', default: false },
    colour: { type: 'string' },
  };

  it('that is accepted gets its defaults for what was left out (C-E-04)', async () => {
    const elicit = (): { action: 'accept'; content: object } => ({ action: 'accept', content: { name: 'Bob' } });
    expect(await ask({ elicit: elicit as never }, 'elicitation/create', form(properties))).toEqual({
      action: 'accept',
      content: { name: 'Bob', age: 0, member: false },
    });
  });

  it('that is declined has no content', async () => {
    const elicit = (): { action: 'decline' } => ({ action: 'decline' });
    expect(await ask({ elicit }, 'elicitation/create', form(properties))).toEqual({ action: 'decline' });
  });

  it('is a form where it does not say what it is (C-E-01)', async () => {
    let mode: string | undefined;
    await ask(
      {
        elicit: (question) => {
          mode = question.mode;
          return { action: 'cancel' };
        },
      },
      'elicitation/create',
      form({}),
    );
    expect(mode).toBe('form');
  });

  it.each([
    ['a page, where only forms are answered', { mode: 'url', message: '', url: 'https://example.com' }],
    ['of a kind that nobody knows', { mode: 'dance', message: '' }],
    ['without fields', { message: '' }],
    ['without words', { requestedSchema: {} }],
  ])('%s is refused (C-E-01)', async (_, params) => {
    await expect(ask({ elicit: () => ({ action: 'cancel' }) }, 'elicitation/create', params)).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe('sampling', () => {
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'x' }], model: 'm' } as const;

  it('with one block gives it alone, as every version understands', async () => {
    const result = await ask(
      { sample: () => ({ ...answer, content: [...answer.content] }) },
      'sampling/createMessage',
      {
        messages: [],
      },
    );
    expect(result).toEqual({ ...answer, content: answer.content[0] });
  });

  it('with tools is refused unless that was declared (C-SA-01)', async () => {
    const sample = (): never => {
      throw new Error('not reached');
    };
    await expect(ask({ sample }, 'sampling/createMessage', { messages: [], tools: [] })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

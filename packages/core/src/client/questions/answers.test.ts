import { describe, expect, it } from 'vitest';
import { type AnswerOptions, answerQuestion, toCapabilities, applyFormDefaults } from './answers.ts';

const { signal } = new AbortController();

function ask(options: AnswerOptions, method: string, params?: Record<string, unknown>): Promise<object> {
  return answerQuestion(options, method, params, { signal });
}

const form = (properties: object): Record<string, unknown> => ({
  message: 'Please',
  requestedSchema: { type: 'object', properties },
});

describe('the declared capabilities', () => {
  const elicit = (): { action: 'cancel' } => ({ action: 'cancel' });

  it.each<[string, AnswerOptions, object]>([
    ['nothing', {}, {}],
    ['forms', { elicit }, { elicitation: { form: {} } }],
    ['pages', { elicitUrl: elicit }, { elicitation: { url: {} } }],
    ['both', { elicit, elicitUrl: elicit }, { elicitation: { form: {}, url: {} } }],
    ['sampling', { sample: () => Promise.reject(new Error()) }, { sampling: {} }],
    ['roots', { roots: [] }, { roots: { listChanged: true } }],
  ])('follow from the given handlers: %s', (_, options, expected) => {
    expect(toCapabilities(options)).toEqual(expected);
  });

  it('include explicit ones', () => {
    const sample = (): never => {
      throw new Error();
    };
    const capabilities = { sampling: { tools: {} }, extensions: { 'com.example/x': {} } };
    expect(toCapabilities({ sample, capabilities })).toEqual(capabilities);
  });
});

describe('an elicitation form', () => {
  const properties = {
    name: { type: 'string', default: 'Ann' },
    age: { type: 'integer', default: 0 },
    member: { type: 'boolean', default: false },
    colour: { type: 'string' },
  };

  it('that is accepted gets defaults for missing fields (C-E-04)', async () => {
    const elicit = (): { action: 'accept'; content: object } => ({ action: 'accept', content: { name: 'Bob' } });
    expect(await ask({ elicit: elicit as never }, 'elicitation/create', form(properties))).toEqual({
      action: 'accept',
      content: { name: 'Bob', age: 0, member: false },
    });
  });

  it('that is accepted without content has its defaults', async () => {
    const answer = await ask({ elicit: () => ({ action: 'accept' }) }, 'elicitation/create', form(properties));
    expect(answer).toEqual({ action: 'accept', content: { name: 'Ann', age: 0, member: false } });
  });

  it('with an explicit mode is passed to the handler unchanged', async () => {
    const asked: unknown[] = [];
    const elicit = (question: object): { action: 'cancel' } => {
      asked.push(question);
      return { action: 'cancel' };
    };
    const params = { mode: 'form', ...form(properties), _meta: { a: 1 } };
    expect(await ask({ elicit }, 'elicitation/create', params)).toEqual({ action: 'cancel' });
    expect(asked).toEqual([params]);
  });

  it('that is declined has no content', async () => {
    const elicit = (): { action: 'decline' } => ({ action: 'decline' });
    expect(await ask({ elicit }, 'elicitation/create', form(properties))).toEqual({ action: 'decline' });
  });

  it('is the default mode (C-E-01)', async () => {
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
    [
      'a page, where only forms are answered',
      { mode: 'url', message: '', url: 'https://example.com' },
      'This client does not support elicitation by URL',
    ],
    ['of a kind that nobody knows', { mode: 'dance', ...form({}) }, 'Unknown mode of elicitation'],
    ['without fields', { message: '' }, '"requestedSchema" must be an object'],
    ['without words', { requestedSchema: {} }, '"message" must be a string'],
    ['without anything', undefined, '"message" must be a string'],
  ])('%s is rejected (C-E-01)', async (_, params, message) => {
    const rejected = ask({ elicit: () => ({ action: 'cancel' }) }, 'elicitation/create', params);
    await expect(rejected).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(message) });
  });
});

describe('an elicitation by URL', () => {
  const params = { mode: 'url', message: 'Please', url: 'https://example.com' };

  it('is answered with the action only', async () => {
    const asked: unknown[] = [];
    const elicitUrl = (question: object): { action: 'accept'; content: object } => {
      asked.push(question);
      return { action: 'accept', content: {} };
    };
    expect(await ask({ elicitUrl }, 'elicitation/create', params)).toEqual({ action: 'accept' });
    expect(asked).toEqual([params]);
  });

  it('must have a URL and a handler', async () => {
    const elicitUrl = (): { action: 'accept' } => ({ action: 'accept' });
    const missing = ask({ elicitUrl }, 'elicitation/create', { ...params, url: 7 });
    await expect(missing).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('"url" must be') });
    const wrong = ask({ elicitUrl }, 'elicitation/create', form({}));
    const message = expect.stringContaining('does not support elicitation by form');
    await expect(wrong).rejects.toMatchObject({ code: -32602, message });
  });
});

describe('a question without a handler', () => {
  it.each(['elicitation/create', 'sampling/createMessage', 'roots/list', 'x/y'])('is rejected: %s', async (method) => {
    const message = `This client did not declare that it answers "${method}"`;
    await expect(ask({}, method, {})).rejects.toMatchObject({ code: -32601, message });
  });
});

describe('roots', () => {
  const roots = [{ uri: 'file:///a' }];

  it('may be a list or a function', async () => {
    expect(await ask({ roots }, 'roots/list')).toEqual({ roots });
    expect(await ask({ roots: async ({ signal: given }) => (given === signal ? roots : []) }, 'roots/list')).toEqual({
      roots,
    });
  });
});

describe('sampling', () => {
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'x' }], model: 'm' } as const;

  it('with one block returns it alone, which every version supports', async () => {
    const result = await ask(
      { sample: () => ({ ...answer, content: [...answer.content] }) },
      'sampling/createMessage',
      {
        messages: [],
      },
    );
    expect(result).toEqual({ ...answer, content: answer.content[0] });
  });

  it.each([
    [
      'several blocks',
      [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'y' },
      ],
    ],
    ['no block', []],
    ['a block that is no list', { type: 'text', text: 'x' }],
  ])('with %s returns them unchanged', async (_, content) => {
    const sample = (): never => ({ ...answer, content }) as never;
    expect(await ask({ sample }, 'sampling/createMessage', { messages: [] })).toEqual({ ...answer, content });
  });

  it.each([undefined, {}, { messages: 'x' }])('without messages is rejected: %j', async (params) => {
    const rejected = ask({ sample: () => answer as never }, 'sampling/createMessage', params);
    const message = expect.stringContaining('"messages" must be a list');
    await expect(rejected).rejects.toMatchObject({ code: -32602, message });
  });

  it('with tools is answered if that was declared', async () => {
    const options: AnswerOptions = { sample: () => answer as never, capabilities: { sampling: { tools: {} } } };
    expect(await ask(options, 'sampling/createMessage', { messages: [], tools: [] })).toMatchObject({ model: 'm' });
  });

  it.each([{ tools: [] }, { toolChoice: {} }])(
    'with %j is rejected unless that was declared (C-SA-01)',
    async (more) => {
      const rejected = ask({ sample: () => answer as never }, 'sampling/createMessage', { messages: [], ...more });
      await expect(rejected).rejects.toThrow('This client does not support sampling with tools');
    },
  );
});

describe('the defaults of a form', () => {
  it('fill in missing fields only', () => {
    const properties = {
      a: { default: 1 },
      b: { default: null },
      c: { default: 3 },
      d: {},
      e: true,
      toString: { default: 4 },
    };
    expect(applyFormDefaults({ properties }, { a: undefined, c: null, x: 9 })).toStrictEqual({
      a: 1,
      b: null,
      c: null,
      x: 9,
      toString: 4,
    });
  });

  it('are empty for a form without fields', () => {
    expect(applyFormDefaults({}, { a: 1 })).toStrictEqual({ a: 1 });
    expect(applyFormDefaults({ properties: 7 }, {})).toStrictEqual({});
  });
});

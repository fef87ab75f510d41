import { describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { type Completer, prompt, type Prompt, template } from './define.ts';
import { connectDirect } from '../fixtures/direct-client.ts';

const self = { name: 'n', version: '1' };

describe('a prompt', () => {
  it('needs a name', () => {
    const add = (name: unknown) => createServer({ ...self, prompts: [{ name, get: () => '' } as Prompt] });
    for (const name of ['', undefined, 7]) expect(() => add(name)).toThrow('A prompt needs a name');
    expect(add('x').prompts.size).toBe(1);
  });

  it('is listed with the members that are set', async () => {
    const prompts = [
      prompt('plain', {}, () => ''),
      prompt('bare', { arguments: {} }, () => ''),
      prompt(
        'full',
        { title: 'T', arguments: { a: { title: 'A', description: 'D', required: true }, b: {} } },
        () => '',
      ),
    ];
    const server = createServer({ ...self, prompts });
    const rows = [...(server.prompts as unknown as { entries: Map<string, { listing: object }> }).entries.values()];
    expect(rows.map(({ listing }) => listing)).toStrictEqual([
      { name: 'plain' },
      { name: 'bare' },
      {
        name: 'full',
        title: 'T',
        arguments: [
          { name: 'a', title: 'A', description: 'D', required: true },
          { name: 'b', required: false },
        ],
      },
    ]);
  });

  const text = (value: string, role = 'user') => ({ role, content: { type: 'text', text: value } });

  it.each([
    ['a text', 'hi', [text('hi')]],
    ['a message', text('hi', 'assistant'), [text('hi', 'assistant')]],
    ['messages', [text('a'), text('b')], [text('a'), text('b')]],
  ])('may be %s', async (_, value, messages) => {
    const got = async (options: object) => {
      const server = createServer({ ...self, prompts: [prompt('it', options, () => value as never)] });
      return (await connectDirect(server, { version: '2025-11-25' }).request('prompts/get', { name: 'it' }))?.result;
    };
    expect(await got({})).toStrictEqual({ messages });
    expect(await got({ description: 'D' })).toStrictEqual({ description: 'D', messages });
  });

  it('may be a whole result, which says more than the prompt does', async () => {
    const result = { description: 'own', messages: [text('a') as never], _meta: { m: 1 } };
    const server = createServer({ ...self, prompts: [prompt('it', { description: 'D' }, () => result)] });
    const answer = await connectDirect(server, { version: '2025-11-25' }).request('prompts/get', { name: 'it' });
    expect(answer?.result).toStrictEqual(result);
  });
});

describe('completion', () => {
  const completing = (complete: Completer) => {
    const prompts = [prompt('p', { arguments: { a: { complete }, plain: {} } }, () => '')];
    const templates = [template('t://{a}/{plain}', { complete: { a: complete } }, () => '')];
    const { request } = connectDirect(createServer({ ...self, prompts, templates, resources: [] }), {
      version: '2025-11-25',
    });
    return (params: object) => request('completion/complete', params as never);
  };
  const complete = completing(['one', 'Two', 'three']);
  const byName = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 't' } };
  const byUri = { ref: { type: 'ref/resource', uri: 't://{a}/{plain}' }, argument: { name: 'a', value: 'T' } };

  it.each([
    ['a prompt', byName],
    ['a template', byUri],
  ])('of %s filters by the typed text', async (_, params) => {
    expect(await complete(params)).toMatchObject({
      result: { completion: { values: ['Two', 'three'], total: 2, hasMore: false } },
    });
    expect(await complete({ ...params, argument: { name: 'plain', value: '' } })).toMatchObject({
      result: { completion: { values: [], total: 0, hasMore: false } },
    });
  });

  it.each([
    ['has no argument', { argument: undefined }, '"argument" must be an object with a name and a value'],
    ['has no name', { argument: { value: 'x' } }, '"argument" must be an object with a name and a value'],
    ['has no value', { argument: { name: 'a' } }, '"argument" must be an object with a name and a value'],
    ['names another prompt', { ref: { type: 'ref/prompt', name: 'x' } }, 'Unknown prompt: x'],
    [
      'has an odd context',
      { context: { arguments: { b: 1, c: 'x' } } },
      '"context.arguments" must be an object of strings',
    ],
    ['has no context', { context: 'x' }, '"context.arguments" must be an object of strings'],
  ])('is rejected if the request %s', async (_, change, message) => {
    expect((await complete({ ...byName, ...change }))?.error).toEqual({ code: -32602, message });
  });

  it.each([
    ['x'],
    [undefined],
    [{ type: 'ref/prompt' }],
    [{ type: 'ref/prompt', name: 7 }],
    [{ type: 'ref/prompt', uri: 't://{a}/{plain}' }],
    [{ type: 'ref/resource' }],
    [{ type: 'ref/resource', uri: 7 }],
    [{ type: 'ref/other', uri: 't://{a}/{plain}' }],
    [{ uri: 't://{a}/{plain}' }],
  ])('is rejected with the reference %j', async (ref) => {
    expect((await complete({ ...byUri, ref }))?.error).toEqual({
      code: -32602,
      message: '"ref" must be {"type": "ref/prompt", "name": …} or {"type": "ref/resource", "uri": …}',
    });
  });

  it('is rejected for templates that are not there', async () => {
    expect((await complete({ ...byUri, ref: { type: 'ref/resource', uri: 'x://{a}' } }))?.error).toEqual({
      code: -32602,
      message: 'Unknown resource template: x://{a}',
    });
  });

  it.each(['x', 'toString', ''])('has no values for an unknown argument: "%s"', async (name) => {
    const result = { completion: { values: [], total: 0, hasMore: false } };
    for (const params of [byName, byUri]) {
      expect(await complete({ ...params, argument: { name, value: '' } })).toMatchObject({ result });
    }
  });

  it('may be computed from other arguments, synchronously or not', async () => {
    const seen: unknown[] = [];
    const worked = completing((value, { arguments: others }) => {
      seen.push([value, others]);
      return Promise.resolve({ values: ['x'], total: 5 });
    });
    expect(await worked({ ...byName, context: { arguments: { b: 'B' } } })).toMatchObject({
      result: { completion: { values: ['x'], total: 5, hasMore: true } },
    });
    await worked({ ...byName, context: {} });
    await worked(byName);
    expect(seen).toEqual([
      ['t', { b: 'B' }],
      ['t', {}],
      ['t', {}],
    ]);
  });

  it('gives at most 100 values, and says that there are more', async () => {
    const of = async (length: number) => {
      const answer = await completing(() => Array.from({ length }, (_, n) => String(n)))(byName);
      const { values, ...rest } = (answer?.result.completion ?? { values: [] }) as { values: string[] };
      return { shown: values.length, ...rest };
    };
    expect(await of(100)).toEqual({ shown: 100, total: 100, hasMore: false });
    expect(await of(101)).toEqual({ shown: 100, total: 101, hasMore: true });
  });
});

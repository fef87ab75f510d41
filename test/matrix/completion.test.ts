import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Client, everywhere } from './cells.ts';

const review = { type: 'ref/prompt', name: 'review' };
const note = { type: 'ref/resource', uri: 'note://{id}' };

async function complete(client: Client, ref: object, name: string, value: string, context?: object): Promise<unknown> {
  const params = { ref, argument: { name, value }, ...(context !== undefined && { context }) };
  return (await client.request('completion/complete', params)).completion;
}

everywhere('an argument of a prompt is completed from its list', async ({ connect }) => {
  const client = await connect();
  expect(await complete(client, review, 'language', 'T')).toEqual({
    values: ['typescript', 'tcl'],
    total: 2,
    hasMore: false,
  });
  expect(await complete(client, review, 'language', 'x')).toEqual({ values: [], total: 0, hasMore: false });
});

everywhere(
  'a variable of a template is completed by its function, which knows what is filled in',
  async ({ connect }) => {
    const client = await connect();
    expect(await complete(client, note, 'id', '')).toMatchObject({ values: ['a', 'b', 'c', 'd', 'e'] });
    expect(await complete(client, note, 'id', '', { arguments: { after: 'c' } })).toMatchObject({ values: ['d', 'e'] });
    expect(
      await complete(client, { type: 'ref/resource', uri: 'word://{language}/{word}' }, 'language', 'e'),
    ).toMatchObject({
      values: ['en', 'es', 'eo'],
    });
  },
);

everywhere('at most a hundred values are given, and how many there are (S-C-02)', async ({ connect }) => {
  const client = await connect();
  const { values, ...rest } = (await complete(client, review, 'colour', 'colour-')) as { values: string[] };
  expect(values).toHaveLength(100);
  expect(rest).toEqual({ total: 150, hasMore: true });
});

everywhere('what has no completion is completed with nothing', async ({ connect }) => {
  const client = await connect();
  const empty = { values: [], total: 0, hasMore: false };
  expect(await complete(client, review, 'code', 'x')).toEqual(empty);
  expect(await complete(client, { type: 'ref/resource', uri: 'word://{language}/{word}' }, 'word', '')).toEqual(empty);
  expect(await complete(client, { type: 'ref/resource', uri: 'text://hello' }, 'any', '')).toEqual(empty);
});

everywhere('an argument or variable that does not exist is completed with nothing', async ({ connect }) => {
  const client = await connect();
  const empty = { values: [], total: 0, hasMore: false };
  for (const ref of [review, note]) {
    for (const name of ['depth', 'constructor', '__proto__', '']) {
      expect(await complete(client, ref, name, 'x')).toEqual(empty);
    }
  }
});

everywhere('a completion of what does not exist, or wrongly asked for, is invalid params', async ({ connect }) => {
  const client = await connect();
  const argument = { name: 'language', value: '' };
  const wrong: Record<string, object> = {
    'Unknown prompt': { ref: { type: 'ref/prompt', name: 'no-such' }, argument },
    'Unknown resource template': { ref: { type: 'ref/resource', uri: 'no://such' }, argument },
    '"ref" must be': { ref: { type: 'ref/tool', name: 'add' }, argument },
    '"argument" must be': { ref: review, argument: { name: 'language', value: 3 } },
    '"context.arguments" must be': {
      ref: note,
      argument: { name: 'id', value: '' },
      context: { arguments: { after: 1 } },
    },
  };
  for (const [problem, params] of Object.entries(wrong)) {
    const answer = await client.sendRequest('completion/complete', params as Record<string, unknown>);
    expect(expectError(answer, -32602).message).toContain(problem);
  }
  expectError(await client.sendRequest('completion/complete'), -32602);
});

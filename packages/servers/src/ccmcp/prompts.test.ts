import { describe, expect, it } from 'vitest';
import type { McpClient } from '../../../../test/support/mcp-client.ts';
import { connect } from './fixtures/connect.ts';

async function textOf(client: McpClient, name: string, args: Record<string, unknown>): Promise<string> {
  const { messages } = await client.request('prompts/get', { name, arguments: args });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  return messages[0].content.text;
}

describe('the prompts', () => {
  it('are listed with their arguments', async () => {
    const { prompts } = await (await connect()).request('prompts/list');
    expect(prompts).toMatchObject([
      { name: 'greet', arguments: [{ name: 'name', required: true }] },
      { name: 'summarize', arguments: [{ name: 'text', required: true }] },
      {
        name: 'code_review',
        arguments: [
          { name: 'code', required: true },
          { name: 'language', required: false },
        ],
      },
    ]);
    for (const { description } of prompts) expect(description).toMatch(/\w/);
  });

  it('put arguments into their texts', async () => {
    const client = await connect();
    expect(await textOf(client, 'greet', { name: 'Alice' })).toBe('Please greet Alice warmly');
    expect(await textOf(client, 'summarize', { text: 'Long.\nStory.' })).toBe(
      'Please summarize the following text:\n\nLong.\nStory.',
    );
    expect(await textOf(client, 'code_review', { code: 'fn main() {}' })).toBe(
      'Please review this code:\nfn main() {}',
    );
    expect(await textOf(client, 'code_review', { code: 'x', language: 'Zig' })).toBe('Please review this Zig code:\nx');
  });

  it.each([
    ['nobody', {}, 'Unknown prompt: nobody'],
    ['greet', {}, 'argument "name" is missing'],
    ['greet', { name: 7 }, 'argument "name" must be a string'],
    ['greet', { name: 'x', loud: 'yes' }, 'no argument "loud"'],
    ['code_review', { language: 'Zig' }, 'argument "code" is missing'],
  ])('reject %s with %j (S-P-02)', async (name, args, message) => {
    const client = await connect();
    await expect(client.request('prompts/get', { name, arguments: args })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });

  it('complete the language of a review by its prefix (S-C-02)', async () => {
    const client = await connect();
    const complete = async (value: string): Promise<unknown> => {
      const ref = { type: 'ref/prompt', name: 'code_review' };
      return (await client.request('completion/complete', { ref, argument: { name: 'language', value } })).completion;
    };
    expect(await complete('ja')).toEqual({ values: ['Java', 'JavaScript'], total: 2, hasMore: false });
    expect(await complete('z')).toMatchObject({ values: ['Zig'] });
    expect(await complete('cobol')).toMatchObject({ values: [] });
  });
});

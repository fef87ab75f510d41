import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Behaviour, everywhere, feature } from './cells.ts';

everywhere('prompts are listed with their arguments (S-P-01)', async ({ connect }) => {
  const client = await connect();
  const { prompts } = await client.request('prompts/list');
  expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['plain', 'review', 'rich', 'crash', 'personal']);
  expect(prompts[0]).toEqual({ name: 'plain', description: 'Says hello' });
  expect(prompts[1]).toEqual({
    name: 'review',
    title: 'Review',
    description: 'Reviews code',
    icons: [{ src: 'https://example.com/review.png' }],
    _meta: { 'com.example/shelf': 2 },
    arguments: [
      { name: 'code', title: 'The code', description: 'What to review', required: true },
      { name: 'language', required: false },
      { name: 'colour', required: false },
    ],
  });
});

everywhere('a prompt is made from its arguments', async ({ connect }) => {
  const client = await connect();
  expect(await client.request('prompts/get', { name: 'plain' })).toMatchObject({
    description: 'Says hello',
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }],
  });
  const { messages } = await client.request('prompts/get', {
    name: 'review',
    arguments: { code: 'x = 1', language: 'zig' },
  });
  expect(messages).toEqual([
    { role: 'assistant', content: { type: 'text', text: 'I review.' } },
    { role: 'user', content: { type: 'text', text: 'Review this zig: x = 1' } },
  ]);
});

everywhere('a prompt that is unknown, or wrongly asked for, is invalid params (S-P-02)', async ({ connect }) => {
  const client = await connect();
  const wrong = {
    'Unknown prompt: no-such': { name: 'no-such' },
    'argument "code" is missing': { name: 'review' },
    'argument "code" must be a string': { name: 'review', arguments: { code: 1 } },
    'has no argument "depth"': { name: 'review', arguments: { code: 'x', depth: '1' } },
    'has no argument "__proto__"': {
      name: 'review',
      arguments: JSON.parse('{"code": "x", "__proto__": "y"}') as object,
    },
    'must be an object': { name: 'review', arguments: ['x'] },
    'must be a string': {},
  };
  for (const [problem, params] of Object.entries(wrong)) {
    expect(expectError(await client.sendRequest('prompts/get', params), -32602).message).toContain(problem);
  }
});

everywhere('a prompt that fails is an internal error without details (S-P-02)', async ({ connect, log }) => {
  const client = await connect();
  const error = expectError(await client.sendRequest('prompts/get', { name: 'crash' }), -32603);
  expect(error).toEqual({ code: -32603, message: 'Internal error' });
  expect(((await log.until('Unexpected error in prompts/get')).error as Error).message).toContain('hunter2');
});

const picture = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' };
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
const soundAsFile = {
  type: 'resource',
  resource: { uri: 'embedded://audio', mimeType: 'audio/wav', blob: 'UklGRg==' },
};
const embedded = { type: 'resource', resource: { uri: 'text://hello', mimeType: 'text/plain', text: 'Hello' } };
const link = { type: 'resource_link', uri: 'data://json', name: 'json' };
const linkAsText = { type: 'text', text: 'json: data://json' };

function giving(what: string, blocks: unknown[]): Behaviour {
  const body: Behaviour[1] = async ({ connect }) => {
    const client = await connect();
    const { messages, description } = await client.request('prompts/get', { name: 'rich' });
    expect(description).toBe('With everything');
    expect(messages.map(({ content }: { content: unknown }) => content)).toEqual(blocks);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
  };
  return [what, body];
}

feature('every kind of content in a prompt (S-P-03)', {
  '2024-11-05': giving('sound is a file, a link is text', [picture, soundAsFile, embedded, linkAsText]),
  '2025-03-26': giving('a link is text', [picture, sound, embedded, linkAsText]),
  '2025-06-18': giving('everything is what it is', [picture, sound, embedded, link]),
});

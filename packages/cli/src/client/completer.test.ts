import { createServer, prompt, resource, tool } from '@ccmcp/core';
import { testClient } from '@ccmcp/core/testing';
import { describe, expect, it } from 'vitest';
import { completer } from './completer.ts';

const server = createServer({
  name: 'shelled',
  version: '1.0.0',
  tools: [
    tool('search', { input: { type: 'object', properties: { text: {}, limit: {} } } }, () => 'found'),
    tool('save', {}, () => 'saved'),
  ],
  resources: [resource('note:///one', {}, () => '1')],
  prompts: [
    prompt('review', { arguments: { language: { complete: ['python', 'perl', 'rust'] }, style: {} } }, () => 'Review'),
  ],
});

describe('a line of the shell', () => {
  it.each([
    ['', ['list ', 'call ', 'read ', 'prompt ', 'complete ', 'listen ', 'ping ', 'help ', 'exit ']],
    ['li', ['list ', 'listen ']],
    ['call s', ['search ', 'save ']],
    ['call search ', ['text=', 'limit=']],
    ['call search text=x l', ['limit=']],
    ['call search text=x te', []],
    ['read note', ['note:///one ']],
    ['prompt ', ['review ']],
    ['prompt review l', ['language=']],
    ['prompt review language=p', ['language=python ', 'language=perl ']],
    ['list t', ['tools ', 'templates ']],
    ['ping x', []],
    ['call nothing ', []],
  ])('%j is completed to %j', async (line, expected) => {
    const [candidates] = await completer(await testClient(server))(line);
    expect(candidates).toEqual(expected);
  });

  it('is left alone where the server can not be asked', async () => {
    const client = await testClient(server);
    await client.close();
    expect(await completer(client)('call s')).toEqual([[], 's']);
  });
});

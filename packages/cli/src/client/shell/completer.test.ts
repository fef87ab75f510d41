import { createServer, prompt, resource, tool } from '@ccmcp/core';
import { testClient } from '@ccmcp/core/testing';
import { describe, expect, it } from 'vitest';
import { argumentCandidates, completer } from './completer.ts';
import { clientCommands } from '../commands.ts';
import { sessionCommands } from '../context.ts';

const names = sessionCommands(clientCommands).map(({ name }) => name);

const turning = {
  type: 'object',
  properties: {
    to: { enum: ['left', 'right', 'half way', 3, '\u001B[2J'] },
    loud: { type: 'boolean' },
    once: { const: 'yes' },
    either: { oneOf: [{ const: 'a', title: 'A' }, { type: 'boolean' }] },
    tags: { type: 'array', items: { enum: ['x', 'y'] } },
    free: { type: 'string' },
  },
} as const;

const server = createServer({
  name: 'shelled',
  version: '1.0.0',
  tools: [
    tool('search', { input: { type: 'object', properties: { text: {}, limit: {} } } }, () => 'found'),
    tool('save', {}, () => 'saved'),
    tool('turn', { input: turning }, () => 'turned'),
  ],
  resources: [resource('note:///one', {}, () => '1')],
  prompts: [
    prompt(
      'review',
      { arguments: { language: { complete: ['python', 'perl', 'rust', 'r\u001B[2J', 'r\u202E'] }, style: {} } },
      () => 'Review',
    ),
  ],
});

describe('a line of the shell', () => {
  it.each([
    [
      '',
      [
        'list ',
        'show ',
        'call ',
        'read ',
        'prompt ',
        'complete ',
        'skills ',
        'tasks ',
        'listen ',
        'ping ',
        'help ',
        'exit ',
      ],
    ],
    ['li', ['list ', 'listen ']],
    ['call s', ['search ', 'save ']],
    ['show s', ['search ', 'save ']],
    ['show r', ['review ']],
    ['show search ', []],
    ['call turn to=', ['to=left ', 'to=right ', `to='half way' `, 'to=3 ']],
    ['call turn to=r', ['to=right ']],
    ['call turn to:=', ['to:="left" ', 'to:="right" ', 'to:="half way" ', 'to:=3 ', 'to:="\\u001b[2J" ']],
    ['call turn loud=', ['loud=true ', 'loud=false ']],
    ['call turn once=', ['once=yes ']],
    ['call turn either=', ['either=a ', 'either=true ', 'either=false ']],
    ['call turn tags=x tags=', ['tags=x ', 'tags=y ']],
    ['call turn tags=x t', ['to=', 'tags=']],
    ['call turn free=', []],
    ['call turn free=@packages/cl', ['free=@packages/cli/']],
    ['call turn free=@package.js', ['free=@package.json ']],
    ['call turn free=@no/such/', []],
    ['prompt review style=@package.js', ['style=@package.json ']],
    ['complete ', ['review ']],
    ['call search ', ['text=', 'limit=']],
    ['call search text=x l', ['limit=']],
    ['call search text=x te', []],
    ['read note', ['note:///one ']],
    ['prompt ', ['review ']],
    ['prompt review l', ['language=']],
    ['prompt review language=p', ['language=python ', 'language=perl ']],
    ['prompt review language=r', ['language=rust ']],
    ['list t', ['tools ', 'templates ']],
    ['ping x', []],
    ['call nothing ', []],
  ])('%j is completed to %j', async (line, expected) => {
    const [candidates] = await completer(await testClient(server), names)(line);
    expect(candidates).toEqual(expected);
  });

  it('is completed for a recursive schema', () => {
    const schema = {
      properties: {
        loop: { $ref: '#/properties/loop' },
        list: { type: 'array', items: { $ref: '#/properties/list' } },
        either: { anyOf: [{ $ref: '#/properties/either' }, { const: 'a' }] },
      },
    };
    const values = (last: string): string[] => argumentCandidates(schema, { given: [], last });
    expect([values('loop='), values('list='), values('either=')]).toEqual([[], [], ['either=a ']]);
  });

  it('has no candidates if the server does not respond', async () => {
    const client = await testClient(server);
    await client.close();
    expect(await completer(client, names)('call s')).toEqual([[], 's']);
  });
});

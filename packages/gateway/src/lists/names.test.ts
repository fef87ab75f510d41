import { createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part } from '../fixtures/clients.ts';
import { type NameOptions, Names } from './names.ts';
import { ToolOverrides } from './tool-overrides.ts';
import { findUnknownNames } from './unknown-names.ts';

afterEach(closeAll);

const shown = (name: string, options: NameOptions = {}): string | undefined => new Names('up', options).toPublic(name);

describe('the name of a tool', () => {
  it('has the prefix of its upstream', () => {
    expect(shown('find')).toBe('up_find');
    expect(shown('find', { prefix: '' })).toBe('find');
    expect(shown('find', { prefix: 'a.' })).toBe('a.find');
  });

  it('may be overridden', () => {
    const rename = { find: 'search', toString: 'text' };
    expect(shown('find', { rename })).toBe('search');
    expect(shown('toString', { rename })).toBe('text');
    expect(shown('valueOf', { rename })).toBe('up_valueOf');
  });

  it('is shown if it is allowed and not denied', () => {
    const options = { prefix: '', allow: ['get_*', 'list'], deny: ['*_secret', 'get_(x)'] };
    const names = ['get_one', 'list', 'lists', 'get_secret', 'get_(x)', 'set_one'];
    expect(names.map((name) => shown(name, options))).toEqual([
      'get_one',
      'list',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is matched in linear time, whatever the pattern', () => {
    const name = 'a'.repeat(5000);
    const deny = [`${'*a'.repeat(50)}*b`];
    expect(shown(name, { deny })).toBeDefined();
    expect(new ToolOverrides({ describe: { [deny[0] as string]: 'never' } }).toPublic({ name })).toEqual({ name });
    expect(findUnknownNames({ deny }, { tools: [name], prompts: [] })).toHaveLength(1);
  });

  it.each(['a b', 'ä', 'x'.repeat(200), 'a/b', '', '../../etc', 'a\nb', '😀'])(
    'is one that clients accept: %j',
    (name) => {
      const other = shown(`${name}!`, { prefix: '' });
      const it = shown(name, { prefix: '' });
      expect(it).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
      expect(it).not.toBe(other);
      expect(it).toBe(shown(name, { prefix: '' }));
    },
  );
});

it('two upstreams with the same names are both shown, and each call goes to its own', async () => {
  const server = (answer: string) => createServer({ name: 'n', version: '1', tools: [tool('who', {}, () => answer)] });
  const one = part(server('one'), { name: 'one', prefix: 'one_' });
  const two = part(server('two'), { name: 'two', prefix: 'two_' });
  const client = await clientOf(compose({ one, two }, { name: 'g', version: '1' }), '2026-07-28');
  expect((await client.listTools().all()).map(({ name }) => name).sort()).toEqual(['one_who', 'two_who']);
  expect(await client.callTool('one_who')).toMatchObject({ content: [{ text: 'one' }] });
  expect(await client.callTool('two_who')).toMatchObject({ content: [{ text: 'two' }] });
});

it('if two have the same name, the listed one is called, and all others are shown', async () => {
  const server = (answer: string) =>
    createServer({
      name: 'n',
      version: '1',
      tools: [tool('who', { description: answer }, () => answer), tool(answer, {}, () => '')],
    });
  const errors: unknown[] = [];
  const logger = { level: 'error' as const, write: (entry: object) => errors.push(entry) };
  const parts = { one: part(server('one')), two: part(server('two')) };
  const client = await clientOf(compose(parts, { name: 'g', version: '1', logger }), '2026-07-28');
  const tools = await client.listTools().all();
  expect(tools.map(({ name }) => name).sort()).toEqual(['one', 'two', 'who']);
  const { description } = tools.find(({ name }) => name === 'who') ?? {};
  expect(await client.callTool('who')).toMatchObject({ content: [{ text: description }] });
  expect(errors).toHaveLength(1);
});

describe('an unknown name in the options', () => {
  it('is reported once, and in the status', async () => {
    const reported: string[] = [];
    const server = createServer({
      name: 'up',
      version: '1',
      tools: [tool('search', {}, () => ''), tool('open_issue', {}, () => '')],
      prompts: [{ name: 'greet', get: () => 'Hello' }],
    });
    const up = part(server, {
      allow: ['search', 'open_*', 'greet', 'lsit'],
      deny: ['delete_*'],
      rename: { search: 'find', 'open_*': 'x' },
      describe: { 'open_*': 'Opens', serch: 'Finds' },
      args: { search: {}, greet: { a: 1 } },
    });
    up.reportError = (message, error) => void reported.push(`${message}: ${String(error)}`);
    const client = await clientOf(up, '2025-11-25');
    await client.listTools().all();
    const warnings = [
      '"allow" names "lsit", and the upstream has no such tool or prompt',
      '"deny" names "delete_*", and the upstream has no such tool or prompt',
      '"rename" names "open_*", and the upstream has no such tool or prompt',
      '"describe" names "serch", and the upstream has no such tool',
      'a fixed argument is for "greet", and the upstream has no such tool',
    ];
    expect(up.status.warnings).toEqual(warnings);
    server.tools.add(tool('delete_all', {}, () => ''));
    await expect.poll(() => up.status.warnings).toEqual(warnings.filter((each) => !each.includes('delete_')));
    expect(reported).toEqual(warnings.map((each) => `Upstream "up": ${each}`));
  });
});

import { describe, expect, it } from 'vitest';
import { groupsClient, groupsOf } from '@ccmcp/core/groups';
import { tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { connect, memoryTransport } from '@ccmcp/core/client';
import { connectTo, documentOf } from './fixtures/api-client.ts';
import { openApi } from './open-api.ts';
import type { OpenApiOptions } from './options.ts';

const options = { baseUrl: 'https://api.example', resultBudget: false } satisfies OpenApiOptions;

async function namesOf(paths: object, more: OpenApiOptions = {}): Promise<string[]> {
  return (await openApi(documentOf(paths), { ...options, ...more })).operations.map(({ tool }) => tool);
}

describe('the name of a tool', () => {
  it.each([
    ['listPets', 'listPets'],
    ['pets/list-all', 'pets_list-all'],
    ['Get pets (v2)!', 'Get_pets_v2'],
    ['__proto__', 'proto'],
    ['日本', 'get_pets_by_petId_toys'],
    [undefined, 'get_pets_by_petId_toys'],
    [7, 'get_pets_by_petId_toys'],
  ])('of the operation %j is %j', async (operationId, name) => {
    expect(await namesOf({ '/pets/{petId}/toys/': { get: { operationId } } })).toEqual([name]);
  });

  it('has at most 64 characters, and stays unique', async () => {
    const long = 'a'.repeat(100);
    const names = await namesOf({
      '/a': { get: { operationId: `${long}1` }, put: { operationId: `${long}2` } },
      [`/${long}`]: { get: {} },
    });
    expect(names.map((name) => name.length)).toEqual([64, 64, 64]);
    expect(new Set(names).size).toBe(3);
  });

  it('depends on no other operation, unless both have the same id', async () => {
    const get = { operationId: 'list' };
    const paths = { '/a': { get }, '/b': { get }, '/b/': { get }, '/c': { get: { operationId: 'other' } } };
    const names = await namesOf(paths);
    expect(names).toEqual([
      'get_a',
      expect.stringMatching(/^get_b_\w+$/),
      expect.stringMatching(/^get_b_\w+$/),
      'other',
    ]);
    expect(new Set(names).size).toBe(4);
    expect(await namesOf(Object.fromEntries(Object.entries(paths).reverse()))).toEqual(names.toReversed());
    expect(await namesOf(paths, { include: { paths: ['/a'] } })).toEqual(['get_a']);
  });

  it('and its description may come from x-mcp', async () => {
    const api = await openApi(
      documentOf({ '/a': { get: { operationId: 'x', 'x-mcp': { name: 'read_a', description: 'Reads A' } } } }),
      options,
    );
    expect(api.tools.get('read_a')?.description).toBe('Reads A');
  });
});

describe('a tool', () => {
  it.each([
    ['get', { readOnlyHint: true }],
    ['head', { readOnlyHint: true }],
    ['query', { readOnlyHint: true }],
    ['post', { readOnlyHint: false, idempotentHint: false }],
    ['patch', { readOnlyHint: false, idempotentHint: false }],
    ['put', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['delete', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ])('of the method %s has the hints %j', async (method, annotations) => {
    const { tools } = await openApi(documentOf({ '/a': { [method]: { operationId: 'run' } } }), options);
    expect(tools.get('run')?.annotations).toEqual(annotations);
  });

  it('may have a method of its own', async () => {
    const paths = {
      '/a': { additionalOperations: { COPY: { operationId: 'copy' }, 'bad method': { operationId: 'no' } } },
    };
    expect((await openApi(documentOf(paths, { openapi: '3.2.0' }), options)).operations).toEqual([
      { tool: 'copy', method: 'COPY', path: '/a', tags: [] },
    ]);
  });

  it.each([
    [
      { summary: 'List pets', description: 'Returns <b>all</b> pets.\n\nSee [the docs](https://x.example).' },
      'List pets. Returns all pets. See the docs.',
    ],
    [{ summary: 'Create', description: 'Adds it.\n> [!NOTE]\n> Slow, if a > b.' }, 'Create. Adds it. Slow, if a > b.'],
    [{ summary: 'List pets.', description: 'List pets. Of one page.' }, 'List pets. Of one page.'],
    [{ summary: 'List pets', description: 'List pets' }, 'List pets'],
    [{ description: 'Only this' }, 'Only this'],
    [{ deprecated: true, summary: 'Old' }, 'Deprecated. Old'],
    [{}, 'GET /a'],
    [
      { summary: 'S', description: 'One sentence. '.repeat(100) },
      expect.stringMatching(/^S\. (One sentence\. ?){40,43}$/),
    ],
  ])('of %j is described by its summary first', async (operation, description) => {
    const { tools } = await openApi(documentOf({ '/a': { get: { operationId: 'run', ...operation } } }), options);
    expect(tools.get('run')?.description).toEqual(description);
  });
});

describe('what is offered', () => {
  const paths = {
    '/pets': {
      get: { operationId: 'list', tags: ['pets'] },
      post: { operationId: 'add', tags: ['pets', 'admin'], 'x-mcp': true },
    },
    '/pets/{id}': { delete: { operationId: 'remove', tags: ['admin'] } },
    '/hidden': {
      'x-mcp': false,
      get: { operationId: 'hidden' },
      put: { operationId: 'shown', 'x-mcp': { enabled: true } },
    },
  };

  it.each([
    [{}, ['list', 'add', 'remove', 'shown']],
    [{ include: { tags: ['pets'] } }, ['list', 'add']],
    [{ include: { tags: ['pets'], methods: ['get'] } }, ['list']],
    [{ include: [{ methods: ['delete'] }, { operations: ['li*'] }] }, ['list', 'remove']],
    [{ include: { paths: ['/pets/*'] } }, ['remove']],
    [{ exclude: { tags: ['admin'] } }, ['list', 'shown']],
    [{ include: { tags: ['pets'] }, exclude: { methods: ['POST'] } }, ['list']],
    [{ include: { marked: true } }, ['add', 'shown']],
  ])('with %j is %j', async (filters, names) => {
    expect((await namesOf(paths, filters)).toSorted()).toEqual(names.toSorted());
  });

  it('are groups by tag, if they are wanted', async () => {
    const tags = [{ name: 'pets', description: 'All about pets' }];
    const api = await openApi(
      documentOf({ ...paths, '/x': { get: { operationId: 'x', tags: ['Ä', 'Pet Shop'] } } }, { tags }),
      { ...options, groups: true },
    );
    const client = await connect(memoryTransport(api), { extensions: [groupsClient()] });
    expect(await groupsOf(client).list()).toEqual([
      { name: 'pets', title: 'pets', description: 'All about pets' },
      { name: 'admin', title: 'admin', description: 'Tools for admin' },
      { name: 'pet-shop', title: 'Pet Shop', description: 'Tools for Pet Shop' },
    ]);
    expect((await groupsOf(client).get('admin')).contents?.tools?.map(({ name }) => name)).toEqual(['add', 'remove']);
    await client.close();
  });

  it('can be a part of a composed server, beside tools of its own', async () => {
    const own = tool('own', {}, () => 'mine');
    const { api } = await connectTo(documentOf(paths), { ...options, server: { name: 'shop', tools: [own] } });
    expect(api.info.name).toBe('shop');
    const client = await connect(memoryTransport(compose({ shop: api }, { name: 'all', version: '1.0.0' })));
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['own', 'list', 'add', 'remove', 'shown']);
    await client.close();
  });
});

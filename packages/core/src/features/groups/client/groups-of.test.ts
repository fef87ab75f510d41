import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServer, type ServerExtension, tool } from '../../../index.ts';
import { compose } from '../../../compose.ts';
import { connect, httpTransport } from '../../../client.ts';
import { type GroupDefinition, groups, groupsClient, groupsOf } from '../../../groups.ts';
import { serveHttp } from '../../../http.ts';
import { testClient } from '../../../testing.ts';

const id = 'io.modelcontextprotocol/groups';
const eras = ['handshake', 'stateless'] as const;
const definitions: GroupDefinition[] = [
  { name: 'one', description: 'One', tools: ['one_*'], groups: ['inner'] },
  { name: 'two', description: 'Two', tools: ['two'], groups: ['inner'] },
  { name: 'inner', description: 'Inner', tools: ['deep'] },
];

const tools = ['one_a', 'two', 'deep', 'top'].map((name) => tool(name, {}, () => name));
const served = (): ReturnType<typeof createServer> =>
  createServer({ name: 'x', version: '1', tools, extensions: [groups(definitions)] });

/** A server with the given responses. */
function lying(answers: Record<string, (params: Record<string, unknown>) => object>): ReturnType<typeof createServer> {
  const methods = Object.entries(answers).map(([method, answer]) => [
    method,
    { serve: ({ params }: { params: Record<string, unknown> }) => answer(params) },
  ]);
  const extension = { id, methods: Object.fromEntries(methods) } as ServerExtension;
  return createServer({ name: 'x', version: '1', extensions: [extension] });
}

describe.each(eras)('the groups of a server, in the %s era', (era) => {
  it('are listed, fetched and called', async () => {
    const client = await testClient(served(), { era, extensions: [groupsClient()] });
    const remote = groupsOf(client);
    expect(await remote.list()).toEqual([
      { name: 'one', description: 'One' },
      { name: 'two', description: 'Two' },
    ]);
    const { contents } = await remote.get('one');
    expect(contents?.tools?.map(({ name }) => name)).toEqual(['one_a']);
    expect((await client.callTool('one_a')).content).toEqual([{ type: 'text', text: 'one_a' }]);
    expect((await client.listTools().all()).map(({ name }) => name)).toEqual(['top']);
  });

  it('are fetched with all that is nested, each once', async () => {
    const client = await testClient(compose({ part: served() }, { name: 'whole', version: '1' }), {
      era,
      extensions: [groupsClient()],
    });
    expect(Array.from((await groupsOf(client).all()).keys())).toEqual(['one', 'two', 'inner']);
    expect(Array.from((await groupsOf(client).all('inner')).keys())).toEqual(['inner']);
  });

  it('of a server that nests them in a circle are fetched once', async () => {
    const server = lying({
      'groups/list': () => ({ groups: [{ name: 'a', description: 'A' }] }),
      'groups/get': ({ name }) => ({
        contents: { groups: [{ name: name === 'a' ? 'b' : 'a', description: 'x' }] },
      }),
    });
    const client = await testClient(server, { era, extensions: [groupsClient()] });
    expect(Array.from((await groupsOf(client).all()).keys())).toEqual(['a', 'b']);
  });

  it('that never end are given up', async () => {
    let count = 0;
    const server = lying({
      'groups/get': () => ({
        contents: { groups: Array.from({ length: 30 }, () => ({ name: `g${count++}`, description: 'x' })) },
      }),
    });
    const client = await testClient(server, { era, extensions: [groupsClient()] });
    await expect(groupsOf(client).all('g')).rejects.toThrow('The server has more than 1000 groups');
  });

  it('are read without entries that are none', async () => {
    const server = lying({
      'groups/list': () => ({
        groups: [
          null,
          7,
          { name: 'x'.repeat(1e6), description: '' },
          { name: 'A\u0000', description: '' },
          { name: 'b' },
        ],
      }),
      'groups/get': ({ name }) =>
        name === 'empty'
          ? {}
          : { contents: { tools: [null, { name: 7 }, { name: 'ok', inputSchema: {} }], groups: 7 } },
    });
    const client = await testClient(server, { era, extensions: [groupsClient()] });
    expect(await groupsOf(client).list()).toEqual([]);
    expect(await groupsOf(client).get('some')).toEqual({
      contents: { tools: [{ name: 'ok', inputSchema: {} }], groups: [] },
    });
    await expect(groupsOf(client).get('empty')).rejects.toThrow('a group without instructions or contents');
    await expect(groupsOf(client).get('No\u0000')).rejects.toThrow('A group has a name of 1 to 64');
  });

  it('are not asked of a server without them, nor by a client that does not declare them', async () => {
    const plain = createServer({ name: 'x', version: '1', tools });
    const client = await testClient(plain, { era, extensions: [groupsClient()] });
    await expect(groupsOf(client).list()).rejects.toThrow('This server has no groups');
    const undeclared = await testClient(served(), { era });
    await expect(groupsOf(undeclared).get('one')).rejects.toThrow('connect with extensions: [groupsClient()]');
  });
});

it('a change of the groups is notified', async () => {
  const extension = groups(definitions);
  const onListChanged = vi.fn<() => void>();
  const server = createServer({ name: 'x', version: '1', tools, extensions: [extension] });
  for (const era of eras) {
    const client = await testClient(server, { era, extensions: [groupsClient({ onListChanged })] });
    if (era === 'stateless') await client.listen({ more: { groupsListChanged: true } });
    extension.replace(definitions.slice(0, 0).concat({ name: 'n', description: 'N', tools: ['two'] }));
    await vi.waitFor(() => expect(onListChanged).toHaveBeenCalledOnce());
    onListChanged.mockClear();
    await client.close();
  }
});

it('over HTTP, headers repeat the arguments of a tool that only a group has', async () => {
  const marked = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  } as const;
  const server = createServer({
    name: 'x',
    version: '1',
    tools: [tool('in_region', { input: marked as never }, () => 'done')],
    extensions: [groups([{ name: 'g', description: 'G', tools: ['*'] }])],
  });
  const { url, close } = await serveHttp(server, { port: 0 });
  onTestFinished(() => close());
  const client = await connect(httpTransport(url), { era: 'stateless', extensions: [groupsClient()] });
  onTestFinished(() => client.close());
  await groupsOf(client).get('g');
  expect((await client.callTool('in_region', { region: 'eu' })).isError).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { adaptToClient } from '../../client-quirks.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { toolSearch } from '../../tool-search.ts';
import { MetaKey } from '../../protocol/meta.ts';
import { prompt, resource, template, tool } from '../../server/define/define.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import type { Server } from '../../server/server.ts';
import { testClient, type TestClient } from '../../testing.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const nameForm = { type: 'object', properties: { name: { type: 'string' } } } as const;
/** A client with tools only. */
const copilot = { name: 'github-copilot-developer', version: '1.0.0' };

function library(options: Partial<ServerOptions> = {}): Server {
  const server = createServer({
    name: 'library',
    version: '1',
    tools: [tool('ping', {}, () => 'pong')],
    resources: [
      resource('memo://one', { title: 'One' }, () => 'first'),
      resource('memo://mine', { scopes: ['read'] }, () => 'secret'),
      resource('memo://dot', { mimeType: 'image/png' }, () => new Uint8Array([1, 2, 3])),
      resource('memo://both', {}, () => [
        { uri: 'memo://both/a', text: 'a' },
        { uri: 'memo://both/b', text: 'b' },
      ]),
      resource('memo://asked', {}, async (_, { elicit }) => {
        const { content } = await elicit({ message: 'Who?', schema: nameForm });
        return `for ${(content as { name?: string }).name}`;
      }),
    ],
    templates: [template('page://{number}', {}, ({ number }) => `page ${String(number)}`)],
    prompts: [
      prompt('greet', { arguments: { who: { required: true } } }, ({ who }) => `Greet ${who}`),
      prompt('talk', {}, () => ({
        messages: [
          { role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } },
          { role: 'assistant' as const, content: { type: 'text' as const, text: 'Hello' } },
        ],
      })),
    ],
    ...options,
  });
  return server.use(adaptToClient());
}

const as = (server: Server, version = '2025-11-25', clientInfo = copilot): Promise<TestClient> =>
  testClient(server, {
    version,
    era: version < '2026' ? 'handshake' : 'stateless',
    clientInfo,
    ...(version >= '2025-06-18' && { elicit: () => ({ action: 'accept' as const, content: { name: 'ann' } }) }),
  });

async function namesFor(server: Server, clientInfo = copilot): Promise<string[]> {
  const client = await as(server, '2025-11-25', clientInfo);
  return (await client.listTools().all()).map(({ name }) => name);
}

const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

const substitutes = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt'];

it('tools that stand for resources and prompts are listed as those that only read', async () => {
  const client = await as(library());
  const tools = (await client.listTools().all()).filter(({ name }) => substitutes.includes(name));
  expect(tools.map(({ annotations }) => annotations)).toEqual(substitutes.map(() => ({ readOnlyHint: true })));
});

it.each(versions.slice(2))('a resource that is read by a tool asks the client in %s', async (version) => {
  const client = await as(library(), version);
  expect(textOf(await client.callTool('read_resource', { uri: 'memo://asked' }))).toBe('for ann');
});

describe.each(versions)('a client with tools only, in %s,', (version) => {
  it('lists and reads resources by tools', async () => {
    const client = await as(library(), version);
    const listed = JSON.parse(textOf(await client.callTool('list_resources')));
    expect(listed.resources.map(({ uri }: { uri: string }) => uri)).toContain('memo://one');
    expect(listed.resourceTemplates).toMatchObject([{ uriTemplate: 'page://{number}' }]);
    expect((await client.callTool('read_resource', { uri: 'memo://one' })).content).toMatchObject([
      { type: 'text', text: 'first' },
    ]);
    expect((await client.callTool('read_resource', { uri: 'page://7' })).content).toMatchObject([{ text: 'page 7' }]);
    expect((await client.callTool('read_resource', { uri: 'memo://dot' })).content).toMatchObject([
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
    ]);
    expect((await client.callTool('read_resource', { uri: 'memo://both' })).content).toMatchObject([
      { type: 'resource', resource: { uri: 'memo://both/a', text: 'a' } },
      { type: 'resource', resource: { uri: 'memo://both/b', text: 'b' } },
    ]);
  });

  it('lists and gets prompts by tools', async () => {
    const client = await as(library(), version);
    const listed = JSON.parse(textOf(await client.callTool('list_prompts')));
    expect(listed.prompts).toMatchObject([{ name: 'greet', arguments: [{ name: 'who', required: true }] }, {}]);
    const greeting = await client.callTool('get_prompt', { name: 'greet', arguments: { who: 'Ann' } });
    expect(greeting.content).toMatchObject([{ type: 'text', text: 'Greet Ann' }]);
    const talk = await client.callTool('get_prompt', { name: 'talk' });
    expect(talk.content.map((block) => 'text' in block && block.text)).toEqual(['User:', 'Hi', 'Assistant:', 'Hello']);
  });
});

describe('a tool that replaces resources or prompts', () => {
  it('explains to the model what it did wrong', async () => {
    const client = await as(library());
    const failing = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool(name, args);
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    expect(await failing('read_resource', { uri: 'memo://none' })).toBe('Resource not found: memo://none');
    expect(await failing('read_resource', {})).toMatch('"uri" must be a string');
    expect(await failing('get_prompt', { name: 'none' })).toBe('Unknown prompt: none');
    expect(await failing('get_prompt', { name: 'greet' })).toMatch('argument "who" is missing');
    expect(await failing('get_prompt', { name: 'greet', arguments: { who: 7 } })).toMatch('must be a string');
    expect(await failing('list_resources', { cursor: 'forged' })).toMatch(/cursor/i);
  });

  it('needs the scopes of the request that it replaces', async () => {
    const read = async (scopes: string[]) =>
      connectDirect(library(), { auth: { principal: 'ann', scopes }, meta: { [MetaKey.clientInfo]: copilot } }).request(
        'tools/call',
        { name: 'read_resource', arguments: { uri: 'memo://mine' } },
      );
    expect((await read(['read']))?.result.content).toMatchObject([{ text: 'secret' }]);
    const denied = await read([]);
    expect(JSON.stringify(denied)).toContain('scope read');
    expect(JSON.stringify(denied)).not.toContain('secret');
  });

  it('is offered only to clients without, and only where the server has some', async () => {
    expect((await namesFor(library())).slice(1)).toEqual(substitutes);
    expect(await namesFor(library(), { name: 'other', version: '1' })).toEqual(['ping']);
    const bare = createServer({ name: 's', version: '1', tools: [tool('ping', {}, () => '')] }).use(adaptToClient());
    expect(await namesFor(bare)).toEqual(['ping']);
    const other = await as(library(), '2025-11-25', { name: 'other', version: '1' });
    await expect(other.callTool('read_resource', { uri: 'memo://one' })).rejects.toThrow('Unknown tool: read_resource');
  });

  it('takes the name of no tool of the server, also of none that is renamed', async () => {
    const tools = ['read_resource', 'read_resource_2', 'get.prompt'].map((name) => tool(name, {}, () => `own ${name}`));
    const server = library({ tools });
    const names = await namesFor(server);
    expect(new Set(names).size).toBe(7);
    expect(names.slice(3)).toEqual(['list_resources', 'read_resource_3', 'list_prompts', 'get_prompt']);
    const client = await as(server);
    expect(textOf(await client.callTool('read_resource'))).toBe('own read_resource');
    expect(textOf(await client.callTool(names[2] as string))).toBe('own get.prompt');
    expect(textOf(await client.callTool('read_resource_3', { uri: 'memo://one' }))).toBe('first');
  });

  it('comes with the first resource, and goes with the last', async () => {
    const server = library({ resources: [], templates: [], prompts: [] });
    const bare = createServer({ name: 's', version: '1', tools: [tool('ping', {}, () => '')] }).use(adaptToClient());
    expect(await namesFor(server)).toContain('read_resource');
    bare.resources.add(resource('memo://late', {}, () => 'late'));
    expect((await namesFor(bare)).slice(1)).toEqual(['list_resources', 'read_resource']);
    bare.resources.remove('memo://late');
    expect(await namesFor(bare)).toEqual(['ping']);
  });

  it('is the only tool of a server without any', async () => {
    const server = createServer({ name: 's', version: '1', resources: [resource('memo://one', {}, () => 'first')] });
    expect(await namesFor(server.use(adaptToClient()))).toEqual(['list_resources', 'read_resource']);
  });

  it('stays in a list that tool search shortened', async () => {
    const tools = Array.from({ length: 60 }, (_, each) => tool(`t${each}`, {}, () => ''));
    const server = createServer({ name: 's', version: '1', tools, resources: [resource('memo://one', {}, () => '')] });
    server.use(toolSearch()).use(adaptToClient());
    expect(await namesFor(server)).toEqual(['search_tools', 'call_tool', 'list_resources', 'read_resource']);
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { httpWire } from '../../../../../test/support/http-wire.ts';
import { type ClientOptions, McpClient, type Wire } from '../../../../../test/support/mcp-client.ts';
import { memoryWire, streamWire } from '../../../../../test/support/wires.ts';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { type GroupDefinition, groups, type GroupsOptions, type ServedGroups } from '../../groups.ts';
import { prompt, resource, tool } from '../../server/define/define.ts';
import type { Server } from '../../server/server.ts';
import { toolSearch } from '../../tool-search.ts';

const id = 'io.modelcontextprotocol/groups';
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const declared = { extensions: { [id]: {} } };

const definitions: GroupDefinition[] = [
  {
    name: 'mail',
    title: 'Mail',
    description: 'Reads and sends mail',
    instructions: 'Read before you send.',
    tools: ['mail_*', 'spell_check'],
    prompts: ['reply'],
    resources: ['mail://*'],
    groups: ['mail-filters'],
  },
  { name: 'mail-filters', description: 'Sorts mail', tools: ['filter_add', 'spell_check'] },
  { name: 'rules', description: 'How we write', instructions: 'Be brief.' },
];

function serverWith(extension: ServedGroups, options: Partial<ServerOptions> = {}): Server {
  return createServer({
    name: 'office',
    version: '1',
    tools: ['status', 'mail_read', 'mail_send', 'spell_check', 'filter_add'].map((name) =>
      tool(name, { description: `Does ${name}` }, () => `${name} done`),
    ),
    prompts: [prompt('reply', {}, () => 'Reply'), prompt('greet', {}, () => 'Greet')],
    resources: [resource('mail://inbox', {}, () => 'mail'), resource('doc://readme', {}, () => 'doc')],
    extensions: [extension],
    ...options,
  });
}

function office(options: GroupsOptions = {}, given = definitions): Server {
  return serverWith(groups(given, options));
}

async function open(wire: Wire, options: Partial<ClientOptions> = {}): Promise<McpClient> {
  const client = new McpClient(wire, { version: '2025-11-25', capabilities: declared, ...options });
  onTestFinished(() => wire.close());
  await client.initialize();
  return client;
}

const connect = (server: Server, options: Partial<ClientOptions> = {}): Promise<McpClient> =>
  open(streamWire(server, 'newline'), options);

async function names(client: McpClient, method: string, key = 'name'): Promise<string[]> {
  const member = (method.split('/')[0] as string).replace('list', '');
  const result = (await client.request(method)) as Record<string, Record<string, string>[]>;
  return (result[member] ?? []).map((row) => row[key] as string);
}

describe.each(versions)('groups in %s', (version) => {
  it.each(['stdio', 'HTTP'])(
    'are listed and fetched over %s, and what they have is not in the lists',
    async (transport) => {
      const server = office();
      const wire = transport === 'HTTP' ? httpWire(server) : streamWire(server, 'newline');
      const client = await open(wire, { version });
      expect(await names(client, 'tools/list')).toEqual(['status']);
      expect(await names(client, 'prompts/list')).toEqual(['greet']);
      expect(await names(client, 'resources/list', 'uri')).toEqual(['doc://readme']);
      const { groups: top } = await client.request('groups/list');
      expect(top).toEqual([
        { name: 'mail', title: 'Mail', description: 'Reads and sends mail' },
        { name: 'rules', description: 'How we write' },
      ]);
      const { instructions, contents } = await client.request('groups/get', { name: 'mail' });
      expect(instructions).toBe('Read before you send.');
      expect(contents.tools.map((row: { name: string }) => row.name)).toEqual([
        'mail_read',
        'mail_send',
        'spell_check',
      ]);
      expect(contents.tools[0]).toMatchObject({ description: 'Does mail_read', inputSchema: { type: 'object' } });
      expect(contents.prompts).toMatchObject([{ name: 'reply' }]);
      expect(contents.resources).toMatchObject([{ uri: 'mail://inbox' }]);
      expect(contents.groups).toEqual([{ name: 'mail-filters', description: 'Sorts mail' }]);
      const nested = await client.request('groups/get', { name: 'mail-filters' });
      expect(nested.instructions).toBeUndefined();
      expect(nested.contents.tools).toContainEqual(contents.tools[2]);
      expect((await client.request('groups/get', { name: 'rules' })).instructions).toBe('Be brief.');
      expect((await client.request('tools/call', { name: 'mail_send' })).content[0].text).toBe('mail_send done');
    },
  );

  it('are flattened for a client without the extension, before and after one with it', async () => {
    const server = office();
    const all = ['status', 'mail_read', 'mail_send', 'spell_check', 'filter_add'];
    for (const capabilities of [{}, declared, {}, declared]) {
      const client = await connect(server, { version, capabilities });
      expect(await names(client, 'tools/list')).toEqual(capabilities === declared ? ['status'] : all);
      expect(await names(client, 'prompts/list')).toEqual(capabilities === declared ? ['greet'] : ['reply', 'greet']);
    }
  });

  it('can be hidden from a client without the extension, who may still call what they have', async () => {
    const client = await connect(office({ fallback: 'hide' }), { version, capabilities: {} });
    expect(await names(client, 'tools/list')).toEqual(['status']);
    expect((await client.request('tools/call', { name: 'mail_read' })).content[0].text).toBe('mail_read done');
  });

  it('of the parts of a composed server have the names of the whole', async () => {
    const parts = {
      home: { server: office({}, [{ name: 'home-mail', description: 'Private', tools: ['*'] }]), prefix: 'home_' },
      work: { server: office(), prefix: 'work_' },
      other: createServer({ name: 'o', version: '1', tools: [tool('mail_other', {}, () => '')] }),
    };
    // Both have the resources of an office.
    for (const uri of ['mail://inbox', 'doc://readme']) parts.home.server.resources.remove(uri);
    const client = await connect(compose(parts, { name: 'whole', version: '1' }), { version });
    expect(await names(client, 'tools/list')).toEqual(['work_status', 'mail_other']);
    const { groups: top } = await client.request('groups/list');
    expect(top.map((group: { name: string }) => group.name)).toEqual(['home-mail', 'mail', 'rules']);
    const { contents } = await client.request('groups/get', { name: 'mail' });
    expect(contents.tools.map((row: { name: string }) => row.name)).toEqual([
      'work_mail_read',
      'work_mail_send',
      'work_spell_check',
    ]);
    expect(contents.prompts).toMatchObject([{ name: 'work_reply' }]);
    expect((await client.request('tools/call', { name: 'work_mail_read' })).content[0].text).toBe('mail_read done');
  });

  it('answer an unknown name with a short error', async () => {
    const client = await connect(office(), { version });
    for (const name of ['nobody', 'x'.repeat(1_000_000), '\u0000\u001b[2J', '__proto__', 'constructor', '']) {
      const { error } = await client.sendRequest('groups/get', { name });
      expect(error?.code).toBe(version < '2026' ? -32002 : -32602);
      expect(error?.message.length).toBeLessThan(500);
    }
    for (const name of [undefined, null, 7, ['mail'], {}]) {
      expect((await client.sendRequest('groups/get', { name })).error?.code).toBe(-32602);
    }
    for (const cursor of ['x', 7, 'eyJhIjoxfQ', 'x'.repeat(100_000)]) {
      expect((await client.sendRequest('groups/list', { cursor })).error?.code).toBe(-32602);
    }
  });

  it('leave the whole list to a client that declares them where tools are searched', async () => {
    const server = office().use(toolSearch({ above: 2 }));
    const grouped = await connect(server, { version });
    expect(await names(grouped, 'tools/list')).toEqual(['status']);
    const other = await connect(server, { version, capabilities: {} });
    expect(await names(other, 'tools/list')).toEqual(['search_tools', 'call_tool']);
  });
});

describe('groups', () => {
  it('a stateless request that does not declare them is refused', async () => {
    const client = await connect(office(), { version: '2026-07-28', capabilities: {} });
    expect((await client.sendRequest('groups/list')).error?.code).toBe(-32021);
  });

  it('lists that depend on the extension are private for caches, in any order of clients', async () => {
    const server = office();
    const grouped = await connect(server, { version: '2026-07-28' });
    // Reads the lists for the group.
    expect(await grouped.request('groups/get', { name: 'mail' })).toMatchObject({ cacheScope: 'private' });
    for (const capabilities of [{}, declared]) {
      const client = await connect(server, { version: '2026-07-28', capabilities });
      for (const method of ['tools/list', 'prompts/list', 'resources/list']) {
        expect(await client.request(method)).toMatchObject({ cacheScope: 'private' });
      }
    }
  });

  it('pages of which nothing is left are skipped', async () => {
    const tools = Array.from({ length: 3000 }, (_, index) => tool(`t_${index}`, {}, () => ''));
    const server = createServer({
      name: 'many',
      version: '1',
      tools: [...tools, tool('last', {}, () => '')],
      extensions: [groups([{ name: 'all', description: 'All', tools: ['t_*'] }])],
    });
    const client = await connect(server);
    const { tools: listed, nextCursor } = await client.request('tools/list');
    expect(listed).toMatchObject([{ name: 'last' }]);
    expect(nextCursor).toBeUndefined();
    const { contents } = await client.request('groups/get', { name: 'all' });
    expect(contents.tools).toHaveLength(3000);
  });

  it('a long list of groups has pages', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({
      name: `g-${index}`,
      description: 'One of many',
      instructions: 'x',
    }));
    const client = await connect(office({}, many));
    const listed: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await client.request('groups/list', cursor === undefined ? {} : { cursor });
      listed.push(...page.groups.map((group: { name: string }) => group.name));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(listed).toEqual(many.map(({ name }) => name));
  });

  it('a group of which a caller may see nothing does not exist for them', async () => {
    const server = createServer({
      name: 'x',
      version: '1',
      lists: 'by-scope',
      tools: [tool('open', {}, () => ''), tool('secret_x', { scopes: ['admin'] }, () => '')],
      extensions: [
        groups([
          { name: 'admin', description: 'For few', instructions: 'The code is 7', groups: ['inner'] },
          { name: 'inner', description: 'For few', tools: ['secret_*'] },
          { name: 'later', description: 'Not yet', tools: ['to_come'] },
        ]),
      ],
    });
    const client = await open(memoryWire(server, { principal: 'eve', scopes: [] }));
    expect((await client.request('groups/list')).groups).toEqual([]);
    for (const name of ['admin', 'inner', 'later']) {
      expect((await client.sendRequest('groups/get', { name })).error?.code).toBe(-32002);
    }
    server.tools.add(tool('to_come', {}, () => ''));
    expect((await client.request('groups/list')).groups).toMatchObject([{ name: 'later' }]);
  });

  it('clients hear that they were replaced', async () => {
    const served = groups(definitions);
    const server = serverWith(served);
    const whole = compose({ office: server }, { name: 'whole', version: '1' });
    const clients = await Promise.all([connect(server), connect(whole)]);
    for (const client of clients) await client.request('groups/list');
    served.replace([{ name: 'new', description: 'New', tools: ['status'] }]);
    for (const client of clients) {
      await client.readNotification('notifications/groups/list_changed');
      expect((await client.request('groups/list')).groups).toMatchObject([{ name: 'new' }]);
      expect(await names(client, 'tools/list')).not.toContain('status');
    }
    expect(() => served.replace([{ name: 'No', description: '', tools: [] }])).toThrow(TypeError);
    expect((await clients[0].request('groups/list')).groups).toMatchObject([{ name: 'new' }]);
  });

  it('those of a part come and go with it', async () => {
    const whole = compose({ office: office() }, { name: 'whole', version: '1' });
    const client = await connect(whole);
    const more = createServer({
      name: 'm',
      version: '1',
      tools: [tool('more', {}, () => '')],
      extensions: [groups([{ name: 'more', description: 'More', tools: ['*'] }])],
    });
    whole.parts.add('more', more);
    expect((await client.request('groups/list')).groups).toHaveLength(3);
    whole.parts.remove('more');
    expect((await client.request('groups/list')).groups).toHaveLength(2);
  });

  it('two parts with a group of the same name are an error', () => {
    const parts = { a: { server: office(), prefix: 'a_' }, b: { server: office(), prefix: 'b_' } };
    parts.b.server.resources.remove('mail://inbox');
    parts.b.server.resources.remove('doc://readme');
    expect(() => compose(parts, { name: 'whole', version: '1' })).toThrow(
      'Two parts have a group "mail": give one of them another name',
    );
  });
});

describe('definitions of groups', () => {
  const valid = { name: 'a', description: 'A', tools: ['x'] };
  it.each([
    [[valid, valid], 'There are two groups "a": give one of them another name'],
    [[{ ...valid, name: 'A' }], 'Group name "A": use 1 to 64 of a-z and 0-9, with single hyphens between'],
    [[{ ...valid, name: 'a--b' }], 'Group name "a--b"'],
    [[{ ...valid, name: 'x'.repeat(1_000_000) }], 'Group name "xxx'],
    [[{ ...valid, name: 'a\u0000' }], 'Group name "a\\u0000"'],
    [[{ ...valid, description: ' ' }], 'Group "a" needs a "description": a sentence that says what it is for'],
    [[{ ...valid, tools: 'x' }], 'Group "a": "tools" must be a list of names'],
    [[{ ...valid, tool: ['x'] }], 'A group has no option "tool": did you mean "tools"?'],
    [
      [{ name: 'a', description: 'A' }],
      'Group "a" is empty: give it tools, prompts, resources, groups or instructions',
    ],
    [[{ ...valid, groups: ['b'] }], 'Group "a" names the group "b", which is not in the list: add it'],
    [
      [
        { name: 'a', description: 'A', groups: ['b'] },
        { name: 'b', description: 'B', groups: ['c'] },
        { name: 'c', description: 'C', groups: ['b'] },
      ],
      'Groups must not contain each other: "b" has "c" has "b"',
    ],
    [[{ ...valid, groups: ['a'] }], 'Groups must not contain each other: "a" has "a"'],
    [valid, 'groups needs a list of groups'],
  ])('that are wrong are rejected (%#)', (given, message) => {
    expect(() => groups(given as never)).toThrow(message);
  });

  it('with an option that is wrong are rejected', () => {
    expect(() => groups([valid], { fallback: 'none' as never })).toThrow('"fallback" must be "flatten" or "hide"');
    expect(() => groups([valid], { flatten: true } as never)).toThrow('groups has no option "flatten"');
  });
});

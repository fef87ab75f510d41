import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adaptToClient, affectedTools, type ClientQuirk, clientQuirks, quirksOf } from '../../client-quirks.ts';
import { compose } from '../../compose.ts';
import { createServer } from '../../create-server.ts';
import { groups } from '../../groups.ts';
import { MetaKey } from '../../protocol/meta.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import { prompt, resource, tool } from '../../server/define/define.ts';
import type { Middleware } from '../../server/call/operation.ts';
import type { Server } from '../../server/server.ts';
import type { Auth } from '../../server/peer.ts';
import { connect } from '../../client.ts';
import { memoryTransport } from '../../transports/memory.ts';
import { testClient, type TestClient } from '../../testing.ts';
import { resultBudget } from '../../result-budget.ts';
import { toolSearch } from '../../tool-search.ts';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const long = 'a'.repeat(100);
const node = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } };

function office(...middleware: Middleware[]): Server {
  const server = createServer({
    name: 'office',
    version: '1',
    tools: [
      tool('mail.read', { description: 'Reads' }, () => 'dotted'),
      tool('mail_read', {}, () => 'underscored'),
      tool('mail.send', { scopes: ['send'] }, () => 'sent'),
      tool(long, {}, () => 'long'),
      tool('large', {}, () => 'a line of some length\n'.repeat(2500)),
      tool('both', {}, () => ({ content: [{ type: 'text' as const, text: 'summary' }], structuredContent: { a: 1 } })),
      tool('typed', { output: { type: 'object', properties: { a: { type: 'number' } } } as const }, () => ({
        content: [{ type: 'text' as const, text: 'summary' }],
        structuredContent: { a: 1 },
      })),
      tool('tree', { output: { $defs: { node }, $ref: '#/$defs/node', type: 'object' } as never }, () => ({
        structuredContent: {},
        content: [],
      })),
      tool(
        'either',
        {
          input: {
            type: 'object',
            oneOf: [
              { properties: { id: { type: 'string' } }, required: ['id'] },
              { properties: { name: { type: 'string' } }, required: ['name'] },
            ],
          } as never,
        },
        () => 'found',
      ),
      tool(
        'referring',
        {
          input: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: {
              colour: { $ref: '#/definitions/colour' },
              map: { type: 'object', additionalProperties: { type: 'string' } },
            },
            definitions: { colour: { enum: ['red', 'blue'] } },
          } as never,
        },
        () => 'painted',
      ),
    ],
    resources: [resource('memo://today', {}, () => 'lunch')],
    prompts: [prompt('greet', {}, () => 'Say hello')],
  });
  for (const each of middleware) server.use(each);
  return server;
}

const as = (server: Server, name: string, version = '2025-11-25'): Promise<TestClient> =>
  testClient(server, {
    version,
    era: version < '2026' ? 'handshake' : 'stateless',
    clientInfo: { name, version: '1.0.0' },
    checkOutput: false,
  });

// oxlint-disable-next-line typescript/no-explicit-any -- schemas are looked into freely
type Rows = Map<string, any>;

async function rows(server: Server, name: string, version?: string): Promise<Rows> {
  const client = await as(server, name, version);
  return new Map((await client.listTools().all()).map((row) => [row.name, row]));
}

const textOf = (result: { content: unknown[] }): unknown[] =>
  result.content.map((block) => (block as { text?: string }).text);

describe.each(versions)('names of tools in %s', (version) => {
  it('are such that the client accepts them, and lead to the tool that was meant', async () => {
    const server = office(adaptToClient());
    const client = await as(server, 'claude-ai', version);
    const names = (await client.listTools().all()).map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(10);
    expect(textOf(await client.callTool('mail_read'))).toEqual(['underscored']);
    expect(textOf(await client.callTool(names[0] as string))).toEqual(['dotted']);
    expect(textOf(await client.callTool('mail.read'))).toEqual(['dotted']);
    expect(textOf(await client.callTool(names[3] as string))).toEqual(['long']);
  });

  it('are their own for every other client, also after one with a quirk', async () => {
    const server = office(adaptToClient());
    const plain = Array.from((await rows(office(), 'other', version)).keys());
    for (const name of ['claude-ai', 'other', 'cursor-vscode', 'constructor', 'x'.repeat(3000), '\u0000']) {
      const names = Array.from((await rows(server, name, version)).keys());
      if (name === 'claude-ai' || name === 'cursor-vscode') expect(names).not.toEqual(plain);
      else expect(names).toEqual(plain);
    }
  });
});

describe('adaptToClient', () => {
  it('a tool whose name was changed needs the scopes of the tool', async () => {
    const nobody: Auth = { principal: 'eve', scopes: [] };
    const client = connectDirect(office(adaptToClient()), {
      auth: nobody,
      meta: { [MetaKey.clientInfo]: { name: 'codex-mcp-client', version: '1' } },
    });
    const denied = await client.request('tools/call', { name: 'mail.send', arguments: {} });
    const renamed = await client.request('tools/call', { name: 'mail_send', arguments: {} });
    expect(denied?.error ?? denied?.result?.isError).toBeTruthy();
    expect({ ...renamed, id: 0 }).toEqual({ ...denied, id: 0 });
  });

  it('a list that depends on the client is private for caches', async () => {
    for (const name of ['claude-ai', 'other']) {
      const client = connectDirect(office(adaptToClient()), { meta: { [MetaKey.clientInfo]: { name, version: '1' } } });
      const listed = JSON.parse(JSON.stringify(await client.request('tools/list'))) as object;
      expect(listed).toMatchObject({ result: { cacheScope: 'private' } });
    }
  });

  it('leaves out what is excepted', async () => {
    const server = office(adaptToClient({ except: ['codex-names'] }));
    expect((await rows(server, 'codex-mcp-client')).has('mail.read')).toBe(true);
    expect(() => adaptToClient({ except: ['codex'] })).toThrow(
      'adaptToClient: there is no quirk "codex"; there are claude-',
    );
    expect(() => adaptToClient({ only: [] } as never)).toThrow('adaptToClient has no option "only"');
  });

  it('leaves results as large as the budget where its option says so', async () => {
    const server = office(resultBudget({ tokens: 20_000, clientLimits: false }));
    const { content } = await (await as(server, 'codex-mcp-client')).callTool('large');
    expect(content).toHaveLength(1);
  });

  it('works around parts, groups and tool search', async () => {
    const grouped = createServer({
      name: 'g',
      version: '1',
      tools: [tool('a.b', {}, () => 'done')],
      extensions: [groups([{ name: 'g', description: 'G', tools: ['*'] }])],
    });
    const whole = compose({ g: { server: grouped, prefix: 'p.' } }, { name: 'whole', version: '1' });
    whole.use(toolSearch()).use(adaptToClient());
    const client = await connect(memoryTransport(whole), {
      clientInfo: { name: 'codex-mcp-client', version: '1' },
      extensions: [{ id: 'io.modelcontextprotocol/groups' }],
    });
    const { contents } = await client.request('groups/get', { name: 'g' });
    expect(contents).toMatchObject({ tools: [{ name: 'p_a_b' }] });
    expect(textOf(await client.callTool('p_a_b'))).toEqual(['done']);
    await client.close();
  });

  it('a tool that comes or goes changes the names', async () => {
    const server = office(adaptToClient());
    const client = await as(server, 'codex-mcp-client');
    server.tools.remove('mail_read');
    expect(textOf(await client.callTool('mail_read'))).toEqual(['dotted']);
    server.tools.add(tool('mail_read', {}, () => 'new'));
    expect(textOf(await client.callTool('mail_read'))).toEqual(['new']);
  });
});

describe('a client that lies about its name', () => {
  const infos: [string, unknown][] = [
    ['a name of 900 KB', { name: `codex-mcp-client ${'x'.repeat(900_000)}`, version: '1' }],
    ['control characters', { name: 'codex-mcp-client\u0000\u001B[31m', version: '1' }],
    ['__proto__', { name: '__proto__', version: '1' }],
    ['constructor', { name: 'constructor', version: 'toString' }],
    ['no name', {}],
  ];

  it.each(infos)('with %s is served as any other', async (_, clientInfo) => {
    const plain = await connectDirect(office()).request('tools/list');
    const client = connectDirect(office(adaptToClient()), { meta: { [MetaKey.clientInfo]: clientInfo } });
    const listed = await client.request('tools/list');
    expect(JSON.parse(JSON.stringify(listed?.result)).tools).toEqual(JSON.parse(JSON.stringify(plain?.result)).tools);
  });

  it('from request to request gets what fits each name', async () => {
    const { request } = connectDirect(office(adaptToClient()));
    const nameOf = async (name: string) => {
      const listed = await request('tools/list', { _meta: { [MetaKey.clientInfo]: { name, version: '1' } } });
      return JSON.parse(JSON.stringify(listed?.result)).tools[2].name;
    };
    const names = [];
    for (const name of ['codex-mcp-client', 'other', 'Codex-MCP-Client', 'codex-mcp-clients'])
      names.push(await nameOf(name));
    expect(names).toEqual(['mail_send', 'mail.send', 'mail_send', 'mail.send']);
  });

  it('in a session keeps the name of its handshake', async () => {
    const { request } = connectDirect(office(adaptToClient()), { version: '2025-11-25' });
    const _meta = { [MetaKey.clientInfo]: { name: 'codex-mcp-client', version: '1' } };
    const called = await request('tools/call', { name: 'mail_send', _meta });
    expect(called?.error?.message).toBe('Unknown tool: mail_send');
  });
});

describe('affectedTools', () => {
  it('gives the tools that a quirk changes', async () => {
    const listed = Array.from((await rows(office(), 'other')).values());
    const affected = (id: string) =>
      affectedTools(clientQuirks.find((quirk) => quirk.id === id) as ClientQuirk, listed);
    expect(affected('codex-names')).toEqual(['mail.read', 'mail.send']);
    expect(affected('claude-desktop-names')).toEqual(['mail.read', 'mail.send', long]);
    expect(affected('claude-code-top-level')).toEqual(['either']);
    expect(affected('claude-code-recursive-output')).toEqual(['tree']);
    expect(affected('codex-prompts')).toEqual([]);
  });

  it('takes whatever a server lists', () => {
    const strange = [null, 7, {}, { name: 7 }, { name: 'a.b' }, { name: '__proto__', inputSchema: 'x' }] as never[];
    for (const quirk of clientQuirks) expect(() => affectedTools(quirk, strange)).not.toThrow();
  });
});

describe('the guide', () => {
  it('has the table', () => {
    const guide = readFileSync(new URL('../../../../../docs/client-quirks.md', import.meta.url), 'utf8');
    const listed = guide.split('\n').filter((line) => line.startsWith('| `') && line.includes('https://'));
    expect(listed).toEqual(
      clientQuirks.map(
        ({ id, client, summary, source }) => `| \`${id}\` | \`${client.name}\` | ${summary} | ${source} |`,
      ),
    );
  });
});

describe('the quirk', () => {
  const tests: Record<string, (server: Server, name: string) => Promise<void>> = {
    'claude-desktop-names': async (server, name) => {
      for (const key of (await rows(server, name)).keys()) expect(key).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    },
    'claude-desktop-dialect': async (server, name) =>
      expect((await rows(server, name)).get('referring').inputSchema.$schema).toBeUndefined(),
    'claude-desktop-references': async (server, name) => {
      const { inputSchema } = (await rows(server, name)).get('referring');
      expect(inputSchema.properties.colour).toEqual({ enum: ['red', 'blue'] });
      expect(inputSchema.definitions).toBeUndefined();
    },
    'claude-code-recursive-output': async (server, name) => {
      const found = await rows(server, name);
      expect(found.get('tree').outputSchema).toBeUndefined();
      expect(found.get('typed').outputSchema).toBeDefined();
    },
    'claude-code-top-level': async (server, name) =>
      expect((await rows(server, name)).get('either').inputSchema).toEqual({
        type: 'object',
        properties: { id: { type: 'string' }, name: { type: 'string' } },
      }),
    'claude-code-results': async (server, name) => {
      const client = await as(server, name);
      expect(await client.callTool('both')).not.toHaveProperty('structuredContent');
      expect(await client.callTool('typed')).toHaveProperty('structuredContent', { a: 1 });
    },
    'codex-names': async (server, name) => {
      for (const key of (await rows(server, name)).keys()) expect(key).toMatch(/^[a-zA-Z0-9_-]+$/);
    },
    'codex-results': async (server, name) =>
      expect(await (await as(server, name)).callTool('both')).not.toHaveProperty('structuredContent'),
    'copilot-cli-names': async (server, name) => {
      for (const key of (await rows(server, name)).keys()) expect(key).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
    },
    'cursor-name-characters': async (server, name) => {
      for (const key of (await rows(server, name)).keys()) expect(key).toMatch(/^[a-zA-Z0-9_-]+$/);
    },
    'cursor-name-length': async (server, name) => {
      for (const key of (await rows(server, name)).keys()) expect(key.length).toBeLessThanOrEqual(45);
    },
    'gemini-cli-schemas': async (server, name) => {
      const { inputSchema } = (await rows(server, name)).get('referring');
      expect(inputSchema.$schema).toBeUndefined();
      expect(inputSchema.properties.map).toEqual({ type: 'object' });
    },
    'claude-code-result-size': async (server, name) => {
      const { content } = await (await as(server.use(resultBudget({ tokens: 20_000 })), name)).callTool('large');
      expect(JSON.stringify(content).length).toBeLessThan(50_000);
    },
    'codex-prompts': async (server, name) => {
      const names = Array.from((await rows(server, name)).keys());
      expect(names).toContain('get_prompt');
      expect(names).not.toContain('read_resource');
    },
    'codex-result-size': async (server, name) => {
      const { content } = await (await as(server.use(resultBudget({ tokens: 20_000 })), name)).callTool('large');
      expect(JSON.stringify(content).length).toBeLessThan(10_000);
    },
    'copilot-cli-tools-only': async (server, name) => {
      const names = Array.from((await rows(server, name)).keys());
      expect(names.slice(-4)).toEqual(['list_resources', 'read_resource', 'list_prompts', 'get_prompt']);
    },
    'zed-resources': async (server, name) => {
      const names = Array.from((await rows(server, name)).keys());
      expect(names).toContain('read_resource');
      expect(names).not.toContain('get_prompt');
    },
    'opencode-results': async (server, name) =>
      expect(textOf(await (await as(server, name)).callTool('both'))).toEqual(['summary', '{"a":1}']),
    'vscode-references': async (server, name) =>
      expect((await rows(server, name)).get('referring').inputSchema.properties.colour).toEqual({
        enum: ['red', 'blue'],
      }),
  };

  it.each(clientQuirks)('$id is fixed for its client only', async ({ id, client: { name }, source }) => {
    expect(source).toMatch(/^https:\/\//);
    const check = tests[id] as (typeof tests)[string];
    await check(office(adaptToClient()), name);
    expect(quirksOf({ name }).map((quirk) => quirk.id)).toContain(id);
    await expect(check(office(adaptToClient()), 'other')).rejects.toThrow(/expected/);
  });
});

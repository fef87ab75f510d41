import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, tool } from '@ccmcp/core';
import { type Client, connect, httpTransport, memoryTransport } from '@ccmcp/core/client';
import { createLock, formatLock } from '@ccmcp/core/contracts';
import { groupsClient, groupsOf } from '@ccmcp/core/groups';
import { apiKey, serveHttp } from '@ccmcp/core/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../../../../test/support/listening.ts';
import type { Environment } from '../system/environment.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { readGatewayFile } from './gateway-file.ts';
import { resolveSources } from './sources.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-gateway-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment with a home of its own; `wrote` waits for a line on stderr. */
function environmentIn(
  folder: string,
  env: Record<string, string> = {},
): Environment & { wrote(text: string): Promise<string> } {
  let all = '';
  const waiting = new Set<() => void>();
  return {
    platform: process.platform,
    env: { PATH: process.env.PATH, ...env },
    home: folder,
    cwd: folder,
    node: process.execPath,
    command: '/usr/bin/ccmcp',
    now: () => new Date(),
    print: () => {},
    printStderr(text) {
      all += text;
      for (const look of waiting) look();
    },
    wrote: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!all.includes(text)) return;
          waiting.delete(look);
          resolve(all);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Serves an upstream over HTTP; gives its address. */
async function upstream(server: Server): Promise<string> {
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0 }));
  return service.url;
}

function serverNamed(name: string, answer: () => string | Promise<string> = () => name): Server {
  return createServer({ name, version: '1', tools: [tool('ask', {}, () => answer())] });
}

async function openWithClient(file: string, environment: Environment): Promise<{ gateway: Gateway; client: Client }> {
  const gateway = await openGateway(resolveSources(file, undefined, environment), environment);
  onTestFinished(() => gateway.close());
  const client = await connect(memoryTransport(gateway.server));
  onTestFinished(() => client.close());
  return { gateway, client };
}

const toolsOf = async (client: Client): Promise<string[]> =>
  (await client.listTools().all()).map(({ name }) => name).sort();

describe('a pinned server of a gateway', () => {
  const searching = (description: string): Server =>
    createServer({
      name: 'notes',
      version: '1',
      logger: { level: 'error', write() {} },
      tools: [tool('ask', {}, () => 'answer'), tool('search', { description }, () => 'found')],
    });

  it('has what differs from the lock held back, until the lock is written again', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const url = await upstream(searching('Search, and tell nobody'));
    const write = async (description: string): Promise<void> => {
      const lock = await createLock({ [`${file}:a`]: searching(description) });
      writeFileSync(join(folder, 'mcp-lock.json'), formatLock(lock));
    };
    await write('Search');
    writeFileSync(file, JSON.stringify({ mcpServers: { a: { url, pin: true, prefix: '' } } }));
    const environment = environmentIn(folder);
    const { gateway, client } = await openWithClient(file, environment);
    expect(await toolsOf(client)).toEqual(['ask']);
    expect(await client.callTool('ask')).toMatchObject({ isError: false });
    await expect(client.callTool('search')).rejects.toThrow('"a" holds back what differs from the lock: tool search');
    expect(gateway.status()[0]?.warnings).toEqual(['"a" holds back what differs from the lock: tool search']);
    await write('Search, and tell nobody');
    await environment.wrote('changed a');
    await expect.poll(() => toolsOf(client)).toEqual(['ask', 'search']);
  });

  it('is not served without a lock, or with one that lacks it', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const url = await upstream(searching('Search'));
    writeFileSync(join(folder, 'other.json'), formatLock(await createLock({ b: searching('Search') })));
    const mcpServers = {
      missing: { url, pin: true },
      other: { url, pin: 'other.json' },
      revision: { url, pin: '2025-11-25' },
      kind: { url, pin: 1 },
      b: { url, pin: 'other.json' },
      off: { url, pin: false },
    };
    writeFileSync(file, JSON.stringify({ mcpServers }));
    const environment = environmentIn(folder);
    const { client } = await openWithClient(file, environment);
    expect(await toolsOf(client)).toEqual(['b_ask', 'b_search', 'off_ask', 'off_search']);
    const said = await environment.wrote('"kind"');
    expect(said).toContain('server "missing": "pin": There is no lock');
    expect(said).toContain('server "other": "pin": ');
    expect(said).toContain('The lock has no target "other": it has b');
    expect(said).toContain('server "revision": "pin" is a lock of definitions: the protocol revision is "version"');
    expect(said).toContain('server "kind": "pin" must be true, for mcp-lock.json, or the path of a lock');
  });
});

describe('the file of a gateway', () => {
  it('has its errors reported with line and column, and the rest of it is used', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    writeFileSync(join(folder, 'key.txt'), 'k-1\n');
    writeFileSync(
      file,
      `{
  "mcpServers": {
    "good": { "url": "http://127.0.0.1:1/\${PART}", "headers": { "X-Api-Key": "\${file:key.txt}" }, "timeout": 2 },
    "typo": { "url": "http://127.0.0.1:1", "deyn": ["a"] },
    "unset": { "url": "http://127.0.0.1:1", "headers": { "A": "\${NOT_SET}" } },
    "list": { "command": "node", "args": { "a": 1 } },
    "none": {},
    "off": { "url": "http://127.0.0.1:1", "disabled": true },
    "lost": { "command": "no-such-program" },
    "slow": { "url": "http://127.0.0.1:1", "timeout": 60000 },
    "twice": { "url": "http://127.0.0.1:1" },
    "twice": { "url": "http://127.0.0.1:2" },
    "marked": { "url": "http://127.0.0.1:1", "uriPrefix": "a b" },
    "newer": { "url": "http://127.0.0.1:1", "version": "2030-01-01" }
  }
}
`,
    );
    const { upstreams, mistakes } = await readGatewayFile(file, environmentIn(folder, { PART: 'mcp' }));
    expect([...upstreams]).toEqual([
      [
        'good',
        {
          entry: { kind: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Api-Key': 'k-1' } },
          sse: false,
          auth: 'login',
          timeoutMs: 2000,
        },
      ],
    ]);
    expect(mistakes.map(({ message }) => message.slice(file.length))).toEqual([
      ':4:44: server "typo": "deyn" is not known. Did you mean "deny"?',
      ':5:45: server "unset": "headers": the variable NOT_SET is not set: set it, or write ${NOT_SET:-default}',
      ':6:42: server "list": "args" must be a list of texts, for the command; fixed arguments of tools are "toolArgs"',
      ':7:5: server "none": has neither a "command" nor a "url"',
      expect.stringMatching(/^:9:15: server "lost": the command "no-such-program" is not on the PATH/),
      ':10:55: server "slow": "timeout" must be a number of seconds from 0.1 to 3600',
      ':12:5: server "twice": there is a server of this name already',
      ':13:59: server "marked": "uriPrefix" must be letters, digits, "." or "-", and a "+" at its end, such as "files+"',
      expect.stringMatching(/^:14:56: server "newer": "version" must be a protocol revision: 2026-07-28, 2025-11-25, /),
    ]);
  });

  it('has its errors and their consequence on one line of stderr each', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    writeFileSync(file, '{ "mcpServers": { "typo": { "url": "http://127.0.0.1:1", "deyn": [] }, "none": {} } }');
    const environment = environmentIn(folder);
    await openWithClient(file, environment);
    expect((await environment.wrote('"none"')).trimEnd().split('\n')).toEqual([
      `ccmcp: ${file}:1:58: server "typo": "deyn" is not known. Did you mean "deny"? It is not served`,
      `ccmcp: ${file}:1:72: server "none": has neither a "command" nor a "url"; it is not served`,
    ]);
  });

  it('that is malformed is an error with line and column', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    writeFileSync(file, '{\n  "mcpServers": {,}\n}');
    await expect(readGatewayFile(file, environmentIn(folder))).rejects.toThrow(`${file}:2:18: `);
  });
});

describe('a gateway whose file changes', () => {
  it('adds, replaces and removes upstreams; unchanged ones and running calls continue', async () => {
    let finish: (text: string) => void = () => {};
    const text = new Promise<string>((resolve) => {
      finish = resolve;
    });
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = serverNamed('slow', () => {
      begin();
      return text;
    });
    const [one, two, leaving] = await Promise.all([serverNamed('one'), serverNamed('two'), slow].map(upstream));
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const write = (mcpServers: object): void => writeFileSync(file, JSON.stringify({ mcpServers }));
    write({ changing: { url: two }, one: { url: one }, leaving: { url: leaving } });
    const environment = environmentIn(folder);
    const { gateway, client } = await openWithClient(file, environment);
    expect(await toolsOf(client)).toEqual(['changing_ask', 'leaving_ask', 'one_ask']);
    const inFlight = client.callTool('leaving_ask', {});
    await begun;
    let notify: () => void = () => {};
    const notified = new Promise<void>((resolve) => {
      notify = resolve;
    });
    await client.listen({ tools: true }, { onChange: () => notify() });

    write({ changing: { url: two, prefix: 'b.' }, one: { url: one }, fresh: { url: two } });
    await environment.wrote('added fresh; changed changing; removed leaving');
    await notified;
    expect(await toolsOf(client)).toEqual(['b.ask', 'fresh_ask', 'one_ask']);
    expect(gateway.status()).toMatchObject([
      { name: 'changing' },
      { name: 'one', state: 'up', restarts: 0, tools: 1 },
      { name: 'fresh' },
    ]);
    finish('late');
    expect((await inFlight).content).toMatchObject([{ text: 'late' }]);
  });

  it('keeps the last valid entry of a server with an error, and all servers if the file is malformed', async () => {
    const one = await upstream(serverNamed('one'));
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { one: { url: one } } }));
    const environment = environmentIn(folder);
    const { gateway, client } = await openWithClient(file, environment);
    writeFileSync(file, JSON.stringify({ mcpServers: { one: { url: one, allow: 'ask' } } }));
    await environment.wrote('"allow" must be a list of texts; it is served as before');
    expect(await toolsOf(client)).toEqual(['one_ask']);
    expect(gateway.status()).toMatchObject([{ name: 'one', mistake: expect.stringContaining(':1:') }]);
    writeFileSync(file, '{');
    await environment.wrote('all servers are served as before');
    expect(await toolsOf(client)).toEqual(['one_ask']);
  });
});

describe('the credentials of an upstream', () => {
  it('are those of the file, never those of the caller', async () => {
    const seen: string[] = [];
    const target = new URL(await upstream(serverNamed('one')));
    const proxy = await listening(
      createHttp((request, response) => {
        seen.push(JSON.stringify(request.headers));
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
          const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {};
          void fetch(target, { method: request.method ?? 'GET', headers, ...body }).then(async (answer) => {
            response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
            return response.end(Buffer.from(await answer.arrayBuffer()));
          });
        });
      }),
    );
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { one: { url: proxy, headers: { Authorization: 'Bearer own' } } } }),
    );
    const { gateway } = await openWithClient(file, environmentIn(folder));
    const service = await serveHttp(gateway.server, {
      port: 0,
      auth: [apiKey({ header: 'X-Api-Key', keys: ['callers-key'] })],
    });
    onTestFinished(() => service.close({ graceMs: 0 }));
    const caller = await connect(httpTransport(service.url, { headers: { 'X-Api-Key': 'callers-key' } }));
    onTestFinished(() => caller.close());
    expect((await caller.callTool('one_ask', {})).content).toMatchObject([{ text: 'one' }]);
    expect(seen.every((headers) => headers.includes('Bearer own'))).toBe(true);
    expect(seen.join()).not.toContain('callers-key');
  });
});

describe('tools of an upstream', () => {
  it('get the descriptions and fixed arguments of the file', async () => {
    const input = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } as const;
    const echo = tool('echo', { input }, ({ a, b }) => `${a} ${b}`);
    const url = await upstream(createServer({ name: 'one', version: '1', tools: [echo] }));
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const one = { url, describe: { echo: 'Says it again' }, toolArgs: { echo: { a: 'fixed' } } };
    writeFileSync(file, JSON.stringify({ mcpServers: { one } }));
    const { client } = await openWithClient(file, environmentIn(folder));
    const [listed] = await client.listTools().all();
    expect(listed).toMatchObject({ description: 'Says it again' });
    expect(JSON.stringify(listed?.inputSchema)).not.toContain('"a"');
    expect((await client.callTool('one_echo', { b: 'given' })).content).toMatchObject([{ text: 'fixed given' }]);
  });
});

describe('servers that clients have configured', () => {
  it('are imported with --from, except a gateway', async () => {
    const one = await upstream(serverNamed('one'));
    const folder = newFolder();
    const file = join(folder, '.mcp.json');
    const own = { command: '/usr/bin/node', args: ['/usr/bin/ccmcp', 'gateway', 'servers.json'] };
    writeFileSync(file, JSON.stringify({ mcpServers: { one: { type: 'http', url: one }, gateway: own } }));
    const environment = environmentIn(folder);
    const gateway = await openGateway(resolveSources(undefined, 'claude-code', environment), environment);
    onTestFinished(() => gateway.close());
    expect(gateway.status().map(({ name }) => name)).toEqual(['one']);
  });
});

describe('tool search in the file of a gateway', () => {
  const upstreams = 5;
  const toolsOfEach = 10;

  /** Five servers with ten tools each; the whole file is served. */
  async function openMany(top: object, each: object = {}): Promise<{ client: Client; folder: string; file: string }> {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const entries = await Promise.all(
      Array.from({ length: upstreams }, async (_, at) => {
        const tools = Array.from({ length: toolsOfEach }, (__, number) =>
          tool(`s${at}_act${number}`, { description: `Does thing ${number} of place ${at}` }, () => `${at}/${number}`),
        );
        return [
          `s${at}`,
          { url: await upstream(createServer({ name: `s${at}`, version: '1', tools })), prefix: '', ...each },
        ] as const;
      }),
    );
    writeFileSync(file, JSON.stringify({ ...top, mcpServers: Object.fromEntries(entries) }));
    const { client } = await openWithClient(file, environmentIn(folder));
    return { client, folder, file };
  }

  async function search(client: Client, query: string): Promise<string[]> {
    const { content } = await client.callTool('search_tools', { query });
    const [{ text }] = content as unknown as [{ text: string }];
    return text.startsWith('{')
      ? (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name)
      : [];
  }

  it('lists few of 50 tools, and calls what was found', async () => {
    const { client } = await openMany({ toolSearch: { above: 40, always: ['s3_act1'] } });
    expect(await toolsOf(client)).toEqual(['call_tool', 's3_act1', 'search_tools']);
    expect(await search(client, 'thing 7 of place 4')).toContain('s4_act7');
    const { content } = await client.callTool('call_tool', { name: 's4_act7', arguments: {} });
    expect(content).toMatchObject([{ text: '4/7' }]);
  });

  it('neither finds nor calls what an upstream may not offer', async () => {
    const { client } = await openMany({ toolSearch: true }, { deny: ['*_act7'] });
    expect(await search(client, 'thing 7 of place 4')).not.toContain('s4_act7');
    const denied = client.callTool('call_tool', { name: 's4_act7', arguments: {} });
    await expect(denied).rejects.toThrow(/s4_act7/);
  });

  it('is off without the member, and follows changes of the file', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const write = (top: object): void =>
      writeFileSync(file, JSON.stringify({ ...top, mcpServers: { a: { url, prefix: '' } } }));
    const url = await upstream(serverNamed('a'));
    write({});
    const environment = environmentIn(folder);
    const { client } = await openWithClient(file, environment);
    expect(await toolsOf(client)).toEqual(['ask']);
    write({ toolSearch: { above: 0 } });
    await environment.wrote('the features have changed');
    expect(await toolsOf(client)).toEqual(['call_tool', 'search_tools']);
  });

  it('has its mistakes named with line and column', async () => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const values = ['1', '{ "abov": 1 }', '{ "above": -1 }', '{ "above": {} }', '{ "always": "a" }', '{ "limit": 21 }'];
    for (const value of values) {
      writeFileSync(file, `{\n  "toolSearch": ${value},\n  "mcpServers": {}\n}`);
      const { features, mistakes } = await readGatewayFile(file, environmentIn(folder));
      expect(features).toEqual({});
      expect(mistakes).toEqual([{ message: expect.stringMatching(/:2:17: "toolSearch" .*; it is ignored$/) }]);
    }
    writeFileSync(file, '{ "toolSerch": true, "mcpServers": {} }');
    expect((await readGatewayFile(file, environmentIn(folder))).mistakes).toMatchObject([
      {
        message: expect.stringContaining(
          ':1:3: "toolSerch" is not known here, and is ignored. Did you mean "toolSearch"?',
        ),
      },
    ]);
  });
});

describe('the result budget and the quirks of clients in the file of a gateway', () => {
  const rows = JSON.stringify(Array.from({ length: 2000 }, (_, at) => ({ at, name: `row ${at}` })));

  /** A gateway before one server; the top level of its file can be replaced. */
  async function openOne(
    top: object,
  ): Promise<{ client: Client; gateway: Gateway; change(to: object): Promise<void> }> {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const server = createServer({
      name: 'a',
      version: '1',
      tools: [tool('rows', {}, () => rows), tool('dotted.name', {}, () => 'dotted')],
    });
    const url = await upstream(server);
    const write = (to: object): void =>
      writeFileSync(file, JSON.stringify({ ...to, mcpServers: { a: { url, prefix: '' } } }));
    write(top);
    const environment = environmentIn(folder);
    const { client, gateway } = await openWithClient(file, environment);
    return {
      client,
      gateway,
      async change(to) {
        write(to);
        await environment.wrote('the features have changed');
      },
    };
  }

  async function textOf(client: Client, name: string, args = {}): Promise<string[]> {
    const { content } = await client.callTool(name, args);
    return content.map((block) => (block.type === 'text' ? block.text : block.type));
  }

  it('cuts a large result, and serves the rest with read_more until it is switched off', async () => {
    const { client, change } = await openOne({ resultBudget: { tokens: 1000 } });
    expect(await toolsOf(client)).toEqual(['dotted.name', 'read_more', 'rows']);
    const [first = '', note = ''] = await textOf(client, 'rows');
    expect(JSON.parse(first)).toContainEqual({ at: 0, name: 'row 0' });
    const [, cursor] = /cursor "([^"]+)"/.exec(note) ?? [];
    const [second = ''] = await textOf(client, 'read_more', { cursor });
    const { length } = JSON.parse(first) as unknown[];
    expect(JSON.parse(second)).toContainEqual({ at: length, name: `row ${length}` });
    await change({});
    expect(await toolsOf(client)).toEqual(['dotted.name', 'rows']);
    expect(await textOf(client, 'rows')).toEqual([rows]);
  });

  it('can be given another budget while it serves', async () => {
    const { client, change } = await openOne({ resultBudget: { tokens: 1000 } });
    const [small = ''] = await textOf(client, 'rows');
    await change({ resultBudget: { tokens: 5000 } });
    expect(await toolsOf(client)).toEqual(['dotted.name', 'read_more', 'rows']);
    const [large = ''] = await textOf(client, 'rows');
    expect(large.length).toBeGreaterThan(2 * small.length);
  });

  it('changes names for a client that rejects them, also beside tool search', async () => {
    const { client, gateway } = await openOne({ adaptToClient: true, toolSearch: { above: 0, always: ['dotted*'] } });
    const codex = await connect(memoryTransport(gateway.server), {
      clientInfo: { name: 'codex-mcp-client', version: '1' },
    });
    onTestFinished(() => codex.close());
    expect(await toolsOf(codex)).toContain('dotted_name');
    expect(await textOf(codex, 'dotted_name')).toEqual(['dotted']);
    expect(await toolsOf(client)).toContain('dotted.name');
  });

  it.each([
    ['resultBudget', '{ "tokens": 1 }', 'needs a whole number of at least 500 in "tokens"'],
    ['resultBudget', '{ "token": 1000 }', 'and no "token"'],
    ['adaptToClient', '{ "except": "a" }', 'needs a list of ids of quirks in "except"'],
    ['adaptToClient', '5', 'must be true, false or an object with "except"'],
  ])('names the mistake in "%s": %s', async (name, value, problem) => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    writeFileSync(file, `{\n  "${name}": ${value},\n  "mcpServers": {}\n}`);
    const { features, mistakes } = await readGatewayFile(file, environmentIn(folder));
    expect(features).toEqual({});
    expect(mistakes).toEqual([{ message: expect.stringContaining(problem) }]);
  });

  it("leaves a feature off that can't be switched on", async () => {
    const { client } = await openOne({ adaptToClient: { except: ['nothing'] } });
    expect(await toolsOf(client)).toEqual(['dotted.name', 'rows']);
  });
});

describe('the groups in the file of a gateway', () => {
  async function openTwo(groups: unknown) {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const urls = [await upstream(serverNamed('a')), await upstream(serverNamed('b'))];
    const write = (to: unknown): void => {
      const mcpServers = { 'Mail Box': { url: urls[0], prefix: 'mail_' }, other: { url: urls[1] } };
      writeFileSync(file, JSON.stringify({ groups: to, mcpServers }));
    };
    write(groups);
    const environment = environmentIn(folder);
    const { gateway } = await openWithClient(file, environment);
    const client = await connect(memoryTransport(gateway.server), { extensions: [groupsClient()] });
    onTestFinished(() => client.close());
    return { client, environment, write };
  }

  it('are one for each server, or those of the named servers', async () => {
    const all = await openTwo(true);
    expect((await groupsOf(all.client).list()).map(({ name }) => name)).toEqual(['mail-box', 'other']);
    expect(await toolsOf(all.client)).toEqual([]);
    const { contents } = await groupsOf(all.client).get('mail-box');
    expect(contents?.tools?.map(({ name }) => name)).toEqual(['mail_ask']);
    const some = await openTwo({ 'Mail Box': { name: 'mail', title: 'Mail', description: 'Reads mail' } });
    expect(await groupsOf(some.client).list()).toMatchObject([
      { name: 'mail', title: 'Mail', description: 'Reads mail' },
    ]);
    expect(await toolsOf(some.client)).toEqual(['other_ask']);
  });

  it('follow changes of the file', async () => {
    const { client, environment, write } = await openTwo(true);
    write({ other: { title: 'Others' } });
    await environment.wrote('changed Mail Box, other');
    expect(await groupsOf(client).list()).toMatchObject([{ name: 'other', title: 'Others' }]);
    expect(await toolsOf(client)).toEqual(['mail_ask']);
  });

  it('need a new start where there were none', async () => {
    const { client, environment, write } = await openTwo(false);
    write(true);
    await environment.wrote('"groups" are declared to clients at the start: start the gateway again');
    expect(await toolsOf(client)).toEqual(['mail_ask', 'other_ask']);
  });

  it.each([
    ['1', ':2:13: "groups" must be true, false or an object by the names of servers; it is ignored'],
    ['{ "a": 1 }', '"groups" of the server "a" must be true or an object with "name", "title" and "description"'],
    ['{ "a": { "tools": [] } }', 'must be true or an object with "name", "title" and "description"'],
    ['{ "a": { "title": "" } }', 'needs a text in "title"'],
    ['{ "a": { "name": "A b" } }', 'needs 1 to 64 of a-z and 0-9 in "name", with single hyphens between'],
    ['{ "a": true, "A": true }', ':3:44: server "A": has the group "a", as another server has'],
    ['{ "\u00e4": true }', 'server "\u00e4": has a name without a-z and 0-9: give its group a "name" in "groups"'],
    ['{ "a": { "name": "ccmcp-gateway" } }', 'has the group "ccmcp-gateway", as another server has'],
  ])('have their mistakes named: %s', async (value, problem) => {
    const folder = newFolder();
    const file = join(folder, 'servers.json');
    const servers = '{ "a": { "url": "http://a" }, "A": { "url": "http://a" }, "\u00e4": { "url": "http://a" } }';
    writeFileSync(file, `{\n  "groups": ${value},\n"mcpServers":${servers}\n}`);
    const { mistakes } = await readGatewayFile(file, environmentIn(folder));
    expect(mistakes).toEqual([expect.objectContaining({ message: expect.stringContaining(problem) })]);
  });
});

import { createServer, resource, type Server, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import { type Change, type Client, type ConnectOptions, memoryTransport } from '@ccmcp/core/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { programOf } from '../../../test/support/program.ts';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';
import type { RemoteOptions } from './remote-options.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };
const polling = { timeout: 20_000 };
const sampling: ConnectOptions = {
  sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm-1' }),
};
const program = programOf(new URL('./fixtures/growing-program.ts', import.meta.url));
const handshake = versions.filter((version) => pinned(version).era === 'handshake');

/** An upstream with a process for each connection, which lists `model` for clients that can sample. */
function processes(): { target: RemoteOptions['target']; servers: Server[]; lists: string[] } {
  const servers: Server[] = [];
  const lists: string[] = [];
  const open = (): Server => {
    const server: Server = createServer({
      name: 'choosy',
      version: '1',
      tools: [
        tool('plain', {}, () => 'plain'),
        tool('model', {}, async (_, context) => (await context.sample({ messages: 'hello', maxTokens: 1 })).model),
        tool('grow', {}, () => {
          server.tools.add(tool('grown', {}, () => 'new'));
          return 'grown';
        }),
        tool('shrink', {}, () => {
          server.tools.remove('plain');
          return 'shrunk';
        }),
        tool('alter', {}, () => {
          server.tools.remove('plain');
          server.tools.add(tool('plain', { description: 'altered' }, () => 'altered'));
          return 'altered';
        }),
        tool('touch', {}, () => {
          server.resources.updated('memo://one');
          return 'touched';
        }),
      ],
      resources: [resource('memo://one', {}, () => 'one')],
    });
    server.use(async ({ method, can }, next) => {
      const outcome = await next();
      if (method.endsWith('/list')) lists.push(method);
      if (method !== 'tools/list' || can('sample')) return outcome;
      const { tools, ...list } = JSON.parse(JSON.stringify(outcome)) as { tools: { name: string }[] };
      return { ...list, tools: tools.filter(({ name }) => name !== 'model') };
    });
    servers.push(server);
    return server;
  };
  return { target: { connect: () => memoryTransport(open()) }, servers, lists };
}

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);
const textOf = ({ content }: { content: unknown[] }): string => (content[0] as { text: string }).text;

/** The changes that a client is notified of. */
async function changesOf(client: Client): Promise<Change[]> {
  const changes: Change[] = [];
  await client.listen({ tools: true, uris: ['memo://one'] }, { onChange: (change) => changes.push(change) });
  return changes;
}

const few = ['plain', 'grow', 'shrink', 'alter', 'touch'];
const all = ['plain', 'model', 'grow', 'shrink', 'alter', 'touch'];

it('passes on what happens in the process of each client', async () => {
  const target = { command: process.execPath, args: [program], graceMs: 100 };
  const server = compose({ up: part(target, { client: pinned('2025-11-25') }) }, whole);
  const clients = [
    await clientOf(server, '2025-11-25'),
    await clientOf(server, '2025-11-25', sampling),
    await clientOf(server, '2026-07-28', { roots: [{ uri: 'file:///work' }] }),
  ];
  for (const client of clients) await namesOf(client);
  for (const client of clients) {
    const changes = await changesOf(client);
    await vi.waitFor(async () => {
      await client.callTool('touch');
      expect(changes).toContainEqual(expect.objectContaining({ kind: 'resource', uri: 'memo://one' }));
    }, polling);
    expect(await namesOf(client)).toEqual(['grow', 'touch']);
    await client.callTool('grow');
    await vi.waitFor(async () => expect(await namesOf(client)).toContain('grown'), polling);
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'tools' }));
    expect(textOf(await client.callTool('grown'))).toBe('new');
  }
});

describe.each(['composed', 'alone'])('a handshake upstream, %s, with clients of different abilities', (form) => {
  const gateway = (options: Partial<RemoteOptions> = {}) => {
    const upstream = processes();
    const up = part(upstream.target, { client: pinned('2025-11-25'), ...options });
    return { ...upstream, up, server: form === 'alone' ? up : compose({ up }, whole) };
  };

  it.each(versions)('lists to each what its own connection lists, on %s', async (front) => {
    const { server, up } = gateway();
    const less = await clientOf(server, front);
    expect(await namesOf(less)).toEqual(few);
    const more = await clientOf(server, front, sampling);
    expect((await namesOf(more)).toSorted()).toEqual(all.toSorted());
    expect((await namesOf(less)).toSorted()).toEqual(few.toSorted());
    expect(textOf(await more.callTool('model'))).toBe('m-1');
    expect(textOf(await more.callTool('plain'))).toBe('plain');
    await expect(less.callTool('model')).rejects.toThrow('Unknown tool');
    expect(up.status).toMatchObject({ tools: 6, stale: false });
  });

  it.each(versions)('lists to each its own, if both are the first, on %s', async (front) => {
    const { server } = gateway();
    const clients = [await clientOf(server, front), await clientOf(server, front, sampling)];
    const [less, more] = await Promise.all(clients.map(namesOf));
    expect(less).toEqual(few);
    expect(more?.toSorted()).toEqual(all.toSorted());
  });

  it('calls a tool of an own list before it was listed', async () => {
    const { server } = gateway();
    expect(await namesOf(await clientOf(server, '2025-11-25'))).toEqual(few);
    const more = await clientOf(server, '2025-11-25', sampling);
    expect(textOf(await more.callTool('model'))).toBe('m-1');
  });

  it('notifies each of list changes in its own process, and lists them', async () => {
    const { server } = gateway();
    const less = await clientOf(server, '2025-11-25');
    const more = await clientOf(server, '2025-11-25', sampling);
    await namesOf(less);
    await namesOf(more);
    const changes = await changesOf(more);
    await more.callTool('grow');
    await vi.waitFor(async () => expect(await namesOf(more)).toContain('grown'), polling);
    expect(changes).toContainEqual({ kind: 'tools' });
    expect(textOf(await more.callTool('grown'))).toBe('new');
    expect(await namesOf(less)).not.toContain('grown');
    await more.callTool('shrink');
    await vi.waitFor(async () => expect(await namesOf(more)).not.toContain('plain'), polling);
    expect(await namesOf(less)).toContain('plain');
    await less.callTool('alter');
    await vi.waitFor(
      async () =>
        expect(await less.listTools().all()).toContainEqual(expect.objectContaining({ description: 'altered' })),
      polling,
    );
    expect(await namesOf(more)).not.toContain('plain');
  });

  it('notifies each of resources that are updated in its own process', async () => {
    const { server } = gateway();
    const less = await clientOf(server, '2025-11-25');
    await namesOf(less);
    const more = await clientOf(server, '2025-11-25', sampling);
    await namesOf(more);
    for (const client of [less, more]) {
      const changes = await changesOf(client);
      await vi.waitFor(async () => {
        await client.callTool('touch');
        expect(changes).toContainEqual(expect.objectContaining({ kind: 'resource', uri: 'memo://one' }));
      }, polling);
    }
  });

  it('subscribes on a connection that is opened later', async () => {
    const { server, servers } = gateway();
    const less = await clientOf(server, '2025-11-25');
    await namesOf(less);
    const changes = await changesOf(less);
    const more = await clientOf(server, '2025-11-25', sampling);
    await more.callTool('plain');
    await vi.waitFor(() => {
      expect(servers).toHaveLength(2);
      for (const each of servers) expect([...each.resources.subscribedUris()]).toEqual(['memo://one']);
    }, polling);
    servers[1]?.resources.updated('memo://one');
    await vi.waitFor(() => expect(changes).toHaveLength(1), polling);
  });

  it('lists to others what it lists to the first, if there can be no more connections', async () => {
    const { server, servers } = gateway({ maxConnections: 1 });
    expect(await namesOf(await clientOf(server, '2025-11-25'))).toEqual(few);
    expect(await namesOf(await clientOf(server, '2025-11-25', sampling))).toEqual(few);
    expect(servers).toHaveLength(1);
  });

  it('lists to others what it lists to the first, if no further process can be started', async () => {
    const { target, servers } = processes();
    let attempts = 0;
    const connect = () => {
      attempts += 1;
      if (attempts > 1) throw new Error('one process only');
      return (target as { connect(): ReturnType<typeof memoryTransport> }).connect();
    };
    const up = part({ connect }, { client: pinned('2025-11-25') });
    const server = form === 'alone' ? up : compose({ up }, whole);
    expect(await namesOf(await clientOf(server, '2025-11-25'))).toEqual(few);
    const more = await clientOf(server, '2025-11-25', sampling);
    for (let round = 0; round < 3; round += 1) expect(await namesOf(more)).toEqual(few);
    expect([attempts, servers.length]).toEqual([2, 1]);
  });

  it('keeps the lists of a lost process, and reads them again with the next one', async () => {
    const crashes: (() => void)[] = [];
    const { target, servers } = processes();
    const connect = () => {
      const transport = (target as { connect(): ReturnType<typeof memoryTransport> }).connect();
      const start: typeof transport.start = (receiver) => {
        crashes.push(() => receiver.closed(new Error('crashed')));
        return transport.start(receiver);
      };
      return Object.assign(Object.create(transport) as typeof transport, { start });
    };
    const up = part({ connect }, { client: pinned('2025-11-25') });
    const server = form === 'alone' ? up : compose({ up }, whole);
    await namesOf(await clientOf(server, '2025-11-25'));
    const more = await clientOf(server, '2025-11-25', sampling);
    await more.callTool('grow');
    await vi.waitFor(async () => expect(await namesOf(more)).toContain('grown'), polling);
    crashes[1]?.();
    const { _meta } = await more.request('tools/list');
    expect(_meta).toMatchObject({ 'io.github.ccmcp/stale': ['up'] });
    await vi.waitFor(async () => expect((await namesOf(more)).toSorted()).toEqual(all.toSorted()), polling);
    expect(servers).toHaveLength(3);
    expect(up.status.stale).toBe(false);
  });

  it('reads lists a few times, however often a process says that they changed', async () => {
    const { server, servers, lists } = gateway();
    const less = await clientOf(server, '2025-11-25');
    const more = await clientOf(server, '2025-11-25', sampling);
    await namesOf(less);
    await namesOf(more);
    const before = lists.length;
    for (const each of servers) for (let count = 0; count < 1000; count += 1) each.tools.changed();
    await vi.waitFor(() => expect(lists.length).toBeGreaterThan(before), polling);
    servers[1]?.tools.add(tool('last', {}, () => ''));
    await vi.waitFor(async () => expect(await namesOf(more)).toContain('last'), polling);
    expect(lists.length - before).toBeLessThan(100);
  });

  it.each(handshake)(
    'opens one connection for clients of the same abilities, and reads its lists once, on %s',
    async (behind) => {
      const { server, up, lists } = gateway({ client: pinned(behind) });
      for (const client of [
        await clientOf(server, '2025-11-25', sampling),
        await clientOf(server, '2026-07-28', sampling),
      ]) {
        await namesOf(client);
        await client.callTool('plain');
      }
      expect(up.status.connections).toBe(1);
      expect(lists.toSorted()).toEqual(
        ['prompts/list', 'resources/list', 'resources/templates/list', 'tools/list'].slice(1),
      );
    },
  );
});

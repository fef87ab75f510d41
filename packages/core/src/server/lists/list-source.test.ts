import { afterEach, describe, expect, it } from 'vitest';
import { createServer, type Server, tool } from '../../index.ts';
import { compose } from '../../compose.ts';
import { type Client, connect, memoryTransport, type Serving } from '../../client.ts';

const self = { name: 'n', version: '1' };

/** A server whose tools are known after the first question for them. */
function filled({ meta, name = 'late' }: { meta?: () => Record<string, unknown> | undefined; name?: string } = {}) {
  let count = 0;
  const server: Server = createServer({
    ...self,
    tools: [],
    listSource: {
      fill() {
        if (server.tools.size > 0) return undefined;
        count += 1;
        return Promise.resolve().then(() => server.tools.add(tool(name, {}, () => 'here')));
      },
      ...(meta && { meta }),
    },
  });
  return { server, fills: () => count };
}

const open: Client[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

async function clientOf(server: Server, era: 'handshake' | 'stateless'): Promise<Client> {
  const client = await connect(memoryTransport(server), { era });
  open.push(client);
  return client;
}

const eras = ['handshake', 'stateless'] as const;

describe.each(eras)('a list that comes from elsewhere, in the %s era', (era) => {
  const names = async (server: Server) =>
    (await (await clientOf(server, era)).listTools().all()).map(({ name }) => name);

  it('is waited for once', async () => {
    const { server, fills } = filled();
    expect(await names(server)).toEqual(['late']);
    expect(await names(server)).toEqual(['late']);
    expect(fills()).toBe(1);
  });

  it('is that of a part, and a call finds what it has', async () => {
    const { server } = filled();
    const own = createServer({ ...self, tools: [tool('own', {}, () => 'own')] });
    expect((await names(compose({ server, own }, self))).sort()).toEqual(['late', 'own']);
    const other = compose({ server: filled().server, own }, self);
    const called = await (await clientOf(other, era)).callTool('late');
    expect(called).toMatchObject({ content: [{ text: 'here' }] });
  });

  it('is asked again for a call whose part was replaced while it waited', async () => {
    let release: (() => void) | undefined;
    const fill = (): Promise<void> => new Promise((resolve) => (release = resolve));
    const replaced = createServer({ ...self, tools: [], listSource: { fill } });
    const whole = compose({ part: replaced }, self);
    const called = (await clientOf(whole, era)).callTool('late');
    await expect.poll(() => release).toBeDefined();
    whole.parts.remove('part');
    whole.parts.add('part', filled().server);
    release?.();
    expect(await called).toMatchObject({ content: [{ text: 'here' }] });
  });

  it('is served as it is if the source fails', async () => {
    const server = createServer({
      ...self,
      tools: [tool('known', {}, () => '')],
      listSource: { fill: () => Promise.reject(new Error('down')) },
    });
    expect(await names(server)).toEqual(['known']);
  });

  it('has the _meta of its sources, joined', async () => {
    let isStale = true;
    const meta = (name: string) => () => (isStale ? { 'com.example/stale': [name] } : undefined);
    const parts = {
      a: filled({ meta: meta('a'), name: 'a' }).server,
      b: filled({ meta: meta('b'), name: 'b' }).server,
    };
    const client = await clientOf(compose(parts, self), era);
    const metaOf = async () => (await client.request('tools/list'))._meta?.['com.example/stale'];
    expect(await metaOf()).toEqual(['a', 'b']);
    isStale = false;
    expect(await metaOf()).toBeUndefined();
  });
});

describe.each(eras)('what a caller alone is offered, in the %s era', (era) => {
  const ofCaller = new Map(
    ['ann', 'bob'].map((name) => [
      name,
      createServer({
        ...self,
        tools: [tool('mine', {}, () => name), tool(`only_${name}`, {}, () => name), tool('all', {}, () => name)],
        resources: [{ uri: 'memo://mine', name: 'mine', read: () => name }],
      }),
    ]),
  );
  const withOwn = (): Server =>
    createServer({
      ...self,
      tools: [tool('all', {}, () => 'all')],
      resources: [],
      listSource: {
        fill: () => undefined,
        forCaller: ({ auth }) => (auth === undefined ? undefined : ofCaller.get(auth.principal)),
      },
    });
  const clientFor = async (server: Server, principal?: string): Promise<Client> => {
    const auth = principal === undefined ? undefined : { principal };
    const serving: Serving = { handle: (message, peer) => server.handle(message, Object.assign(peer, { auth })) };
    const client = await connect(memoryTransport(serving), { era });
    open.push(client);
    return client;
  };
  const namesOf = async (client: Client) => (await client.listTools().all()).map(({ name }) => name);

  it.each(['alone', 'composed', 'with a prefix'])('is listed for them and served to them only: %s', async (form) => {
    const whole = (): Server => {
      if (form === 'alone') return withOwn();
      const prefix = form === 'composed' ? '' : 'p_';
      return compose({ a: { server: withOwn(), prefix }, b: createServer({ ...self, tools: [] }) }, self);
    };
    const at = form === 'with a prefix' ? 'p_' : '';
    const server = whole();
    const [ann, bob, nobody] = await Promise.all([
      clientFor(server, 'ann'),
      clientFor(server, 'bob'),
      clientFor(server),
    ]);
    expect(await namesOf(ann)).toEqual([`${at}all`, `${at}mine`, `${at}only_ann`]);
    expect(await namesOf(bob)).toEqual([`${at}all`, `${at}mine`, `${at}only_bob`]);
    expect(await namesOf(nobody)).toEqual([`${at}all`]);
    expect(await ann.callTool(`${at}mine`)).toMatchObject({ content: [{ text: 'ann' }] });
    expect(await bob.callTool(`${at}mine`)).toMatchObject({ content: [{ text: 'bob' }] });
    expect(await bob.callTool(`${at}all`)).toMatchObject({ content: [{ text: 'all' }] });
    expect(await bob.readResource('memo://mine')).toMatchObject({ contents: [{ text: 'bob' }] });
    await expect(bob.callTool(`${at}only_ann`)).rejects.toThrow('Unknown tool');
    await expect(nobody.callTool(`${at}mine`)).rejects.toThrow('Unknown tool');
  });
});

it('a part learns which resources clients of the whole subscribe to', async () => {
  const part = createServer({ ...self, resources: [{ uri: 'a://b', name: 'b', read: () => '' }] });
  const seen: string[][] = [];
  const stop = part.resources.onSubscribe((uris) => seen.push([...uris]));
  const client = await clientOf(compose({ part }, self), 'handshake');
  await client.request('resources/subscribe', { uri: 'a://b' });
  expect(seen).toContainEqual(['a://b']);
  stop();
  const before = seen.length;
  await client.request('resources/subscribe', { uri: 'a://b' });
  expect(seen).toHaveLength(before);
});

describe('a tool that is not checked', () => {
  it.each([
    ['a schema that can not be used', { type: 'object', properties: { a: { $ref: 'https://example.com/schema' } } }],
    ['a plain schema', { type: 'object', properties: { a: { type: 'number' } } }],
  ])('takes any arguments, and is listed with %s', async (_, input) => {
    const output = { type: 'object', properties: { sum: { type: 'number' } } };
    const server = createServer({
      ...self,
      tools: [
        {
          name: 'any',
          input,
          output,
          checked: false,
          call: (args: object) => ({ content: [], structuredContent: args }),
        },
      ],
    });
    const client = await clientOf(compose({ server }, self), 'stateless');
    const called = await client.request('tools/call', { name: 'any', arguments: { a: 'text', b: 1 } });
    expect(called).toMatchObject({ structuredContent: { a: 'text', b: 1 }, isError: false });
    expect(await client.listTools().all()).toEqual([{ name: 'any', inputSchema: input, outputSchema: output }]);
  });
});

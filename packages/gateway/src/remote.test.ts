import { createServer, type ProtocolError, type Server, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Change, Client } from '@ccmcp/core/client';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';
import { everything } from './fixtures/upstream.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };
const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });

const uncached = { ttlMs: 0, cacheScope: 'private' };

const cells = versions.flatMap((front) => versions.map((behind) => [front, behind] as const));

/** A client of one revision directly at the server, and one through the gateway, which speaks another revision behind. */
async function both(front: string, behind: string): Promise<{ direct: Client; through: Client; server: Server }> {
  const server = everything();
  const gateway = compose({ up: part(server, { client: pinned(behind) }), own }, whole);
  return { direct: await clientOf(server, front), through: await clientOf(gateway, front), server };
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (result) => clean(result),
    (error: ProtocolError) => ({ code: error.code, message: error.message, data: error.data }),
  );

/** Results without what names the server that answers. */
function clean(result: unknown): unknown {
  const { _meta, ...rest } = result as { _meta?: Record<string, unknown> };
  const { 'io.modelcontextprotocol/serverInfo': _, ...meta } = _meta ?? {};
  return { ...rest, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}

describe.each(cells)('a client of %s with an upstream on %s', (front, behind) => {
  it('gets the same lists', async () => {
    const { direct, through } = await both(front, behind);
    const tools = await direct.listTools().all();
    const shown = await through.listTools().all();
    expect(shown.filter(({ name }) => name !== 'own')).toEqual(tools);
    expect(shown).toHaveLength(tools.length + 1);
    expect(await through.listResources().all()).toEqual(await direct.listResources().all());
    expect(await through.listResourceTemplates().all()).toEqual(await direct.listResourceTemplates().all());
    expect(await through.listPrompts().all()).toEqual(await direct.listPrompts().all());
  });

  it('gets the same results and errors', async () => {
    const { direct, through } = await both(front, behind);
    const same = async (ask: (one: Client) => Promise<unknown>): Promise<void> => {
      const expected = (await outcome(ask(direct))) as { ttlMs?: number };
      // Only a stateless server says how long its answers may be kept.
      const hints = expected.ttlMs !== undefined && pinned(behind).era === 'handshake' ? uncached : {};
      expect(await outcome(ask(through))).toEqual({ ...expected, ...hints });
    };
    await same((one) => one.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }));
    await same((one) => one.request('tools/call', { name: 'add', arguments: { a: 1 } }));
    await same((one) => one.request('tools/call', { name: 'fails' }));
    await same((one) => one.request('tools/call', { name: 'refuses' }));
    await same((one) => one.request('tools/call', { name: 'missing' }));
    await same((one) => one.request('resources/read', { uri: 'memo://one' }));
    await same((one) => one.request('resources/read', { uri: 'memo://cancelled' }));
    await same((one) => one.request('resources/read', { uri: 'note://alpha' }));
    await same((one) => one.request('resources/read', { uri: 'note://none' }));
    await same((one) => one.request('resources/read', { uri: 'other://thing' }));
    await same((one) => one.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } }));
    await same((one) => one.request('prompts/get', { name: 'greet' }));
    const ref = { type: 'ref/prompt', name: 'greet' };
    await same((one) => one.request('completion/complete', { ref, argument: { name: 'who', value: 'A' } }));
    const uri = { type: 'ref/resource', uri: 'note://{id}' };
    await same((one) => one.request('completion/complete', { ref: uri, argument: { name: 'id', value: 'b' } }));
  });

  it('gets content of all kinds, as far as both revisions have them', async () => {
    const { direct, through } = await both(front, behind);
    const older = front < behind ? front : behind;
    const expected = await outcome(direct.callTool('content'));
    const got = await outcome(through.callTool('content'));
    if (older === front) expect(got).toEqual(expected);
    else expect(got).toMatchObject({ _meta: { 'com.example/trace': 'abc' } });
  });

  it('forwards _meta, but identifies itself', async () => {
    const { through } = await both(front, behind);
    const meta = { traceparent: '00-1-2-03', 'com.example/x': { y: 1 } };
    const { content } = await through.callTool('meta', {}, { meta });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
      traceparent: '00-1-2-03',
      x: { y: 1 },
      client: expect.stringContaining('ccmcp'),
    });
  });

  it('receives progress, log messages, changed lists and changed resources', async () => {
    const server = everything();
    const gateway = compose({ up: part(server, { client: pinned(behind) }), own }, whole);
    const logs: unknown[] = [];
    const through = await clientOf(gateway, front, { logLevel: 'debug', onLog: (entry: unknown) => logs.push(entry) });
    await through.listTools().all();

    const progress: unknown[] = [];
    await through.callTool('steps', {}, { onProgress: (each) => progress.push(each) });
    expect(progress).toEqual([
      { progress: 1, total: 3, message: 'one' },
      { progress: 2, total: 3, message: 'two' },
    ]);
    expect(logs).toContainEqual({ level: 'info', data: 'half', logger: 'stepper' });

    const changes: Change[] = [];
    let wake = (): void => {};
    const onChange = (change: Change): void => {
      changes.push(change);
      wake();
    };
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await new Promise<void>((resolve) => (wake = resolve));
    };
    await through.listen({ tools: true, uris: ['memo://one', 'note://alpha'] }, { onChange });
    await through.callTool('grow');
    await until(() => changes.some(({ kind }) => kind === 'tools'));
    expect((await through.listTools().all()).map(({ name }) => name)).toContain('grown');
    expect(await through.callTool('grown')).toMatchObject({ content: [{ type: 'text', text: 'new' }] });

    for (const uri of ['memo://one', 'note://alpha']) {
      await watched(server, uri);
      server.resources.updated(uri);
      await until(() => changes.some((change) => change.kind === 'resource' && change.uri === uri));
    }
  });

  it('cancels its requests upstream', async () => {
    const { through, server } = await both(front, behind);
    await through.listTools().all();
    const upstream = await clientOf(server, '2026-07-28');
    const cancelled = new Promise<void>((resolve, reject) => {
      upstream.listen({ uris: ['memo://cancelled'] }, { onChange: () => resolve() }).catch(reject);
    });
    await watched(server, 'memo://cancelled');
    const abort = new AbortController();
    const begun = new Promise<void>((resolve) => {
      server.use((operation, next) => {
        if (operation.params.name === 'hangs') resolve();
        return next();
      });
    });
    const call = through.callTool('hangs', {}, { signal: abort.signal });
    await begun;
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await cancelled;
  });
});

/** Resolves when a client of a server is subscribed to a resource. */
async function watched(server: Server, uri: string): Promise<void> {
  const isThere = (): boolean => Array.from(server.resources.subscribedUris()).includes(uri);
  if (isThere()) return;
  await new Promise<void>((resolve) => {
    const stop = server.resources.onSubscribe(() => {
      if (!isThere()) return;
      stop();
      resolve();
    });
  });
}

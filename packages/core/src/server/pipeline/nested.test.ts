import { describe, expect, it, onTestFinished } from 'vitest';
import { McpClient } from '../../../../../test/support/mcp-client.ts';
import { memoryWire } from '../../../../../test/support/wires.ts';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { newFile, recordsOf } from '../../features/audit/fixtures/log.ts';
import { audit } from '../../features/audit/trail.ts';
import type { Middleware } from '../call/operation.ts';
import { resource, tool } from '../define/define.ts';
import { connectDirect, textOf } from '../fixtures/direct-client.ts';
import type { ObservedRequest, RequestEnd } from '../observer.ts';
import type { Server } from '../server.ts';

const nameForm = { type: 'object', properties: { name: { type: 'string' } } } as const;
const asText = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });

/** Middleware that answers calls of the tool `read` with the resource of that URI. */
const reader: Middleware = async ({ method, params }, next) => {
  if (method !== 'tools/call' || params.name !== 'read') return next();
  const { uri } = params.arguments as { uri: string };
  const { contents } = (await next({ uri }, 'resources/read')) as unknown as { contents: { text: string }[] };
  return asText(contents[0]?.text);
};

function library(options: Partial<ServerOptions> = {}, aborted: unknown[] = []): Server {
  const server = createServer({
    name: 'library',
    version: '1',
    logger: { level: 'emergency', write() {} },
    tools: [tool('read', { input: { type: 'object' } }, () => 'never')],
    resources: [
      resource('memo://open', {}, () => 'for all'),
      resource('memo://mine', { scopes: ['read'] }, () => 'secret'),
      resource('memo://asked', {}, async (_, { elicit }) => {
        const { content } = await elicit({ message: 'Who?', schema: nameForm });
        return `for ${(content as { name?: string }).name}`;
      }),
      resource('memo://slow', {}, (_, { signal }) => {
        return new Promise(() => signal.addEventListener('abort', () => void aborted.push(signal.reason)));
      }),
      resource('memo://steps', {}, (_, { progress }) => {
        progress(1, 2);
        return 'done';
      }),
    ],
    ...options,
  });
  return server.use(reader);
}

const reading = (uri: string): Record<string, unknown> => ({ name: 'read', arguments: { uri } });

describe('a request that middleware serves within another', () => {
  it('needs the scopes of the same request of the client', async () => {
    const read = async (scopes: string[]) =>
      connectDirect(library(), { auth: { principal: 'ann', scopes } }).request('tools/call', reading('memo://mine'));
    expect(textOf(await read(['read']))).toBe('"secret"');
    expect(JSON.stringify(await read([]))).toMatch(/read/);
    expect(JSON.stringify(await read([]))).not.toContain('secret"');
  });

  it('of an extension needs its scopes too', async () => {
    const opened: string[] = [];
    const server = createServer({
      name: 's',
      version: '1',
      tools: [tool('open', {}, () => 'never')],
      extensions: [
        {
          id: 'com.example/vault',
          methods: {
            'vault/open': {
              servesEveryone: true,
              scopes: ['vault'],
              serve: ({ auth }) => {
                opened.push(auth?.principal ?? 'nobody');
                return { gold: 1 };
              },
            },
          },
        },
      ],
    }).use(async ({ method }, next) => (method === 'tools/call' ? asText(await next({}, 'vault/open')) : next()));
    const call = async (scopes: string[]) =>
      connectDirect(server, { auth: { principal: scopes.join(), scopes } }).request('tools/call', { name: 'open' });
    expect(JSON.stringify(await call(['other']))).toContain('needs the scope vault');
    expect(textOf(await call(['vault']))).toBe('{"gold":1}');
    expect(opened).toEqual(['vault']);
  });

  it('counts once towards a rate limit and the limit of running requests', async () => {
    const server = library({ maxRunning: 1, rateLimit: { calls: 2, perMs: 3_600_000 } });
    const { request } = connectDirect(server);
    expect(textOf(await request('tools/call', reading('memo://open')))).toBe('"for all"');
    expect(textOf(await request('tools/call', reading('memo://open')))).toBe('"for all"');
    expect((await request('tools/call', reading('memo://open')))?.error.message).toContain('Too many requests');
  });

  it('is seen by observers, with its outcome', async () => {
    const begun: ObservedRequest[] = [];
    const ended: RequestEnd[] = [];
    const server = library();
    server.observe({
      begin(request) {
        begun.push(request);
        return { end: (end) => void ended.push(end) };
      },
    });
    const { request } = connectDirect(server, { auth: { principal: 'ann', scopes: [] } });
    await request('tools/call', reading('memo://open'), 7);
    await request('tools/call', reading('memo://none'), 8);
    await request('tools/call', reading('memo://mine'), 9);
    expect(begun.map(({ id, method, params, auth }) => [id, method, params.uri, auth?.principal])).toEqual(
      [7, 8, 9].flatMap((id) => [
        [id, 'tools/call', undefined, 'ann'],
        [id, 'resources/read', `memo://${['open', 'none', 'mine'][id - 7]}`, 'ann'],
      ]),
    );
    expect(ended.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'error', 'error', 'error', 'tool-error']);
    expect(ended[0]?.result()).toMatchObject({ contents: [{ text: 'for all' }] });
  });

  it('is in the audit log', async () => {
    const file = newFile();
    const trail = audit({ file });
    onTestFinished(() => trail.close());
    const server = library();
    server.observe(trail);
    server.use(trail.guard);
    await connectDirect(server, { auth: { principal: 'ann' } }).request('tools/call', reading('memo://open'));
    expect(recordsOf(file).flatMap(({ method, outcome }) => (method === undefined ? [] : [[method, outcome]]))).toEqual(
      [
        ['resources/read', 'ok'],
        ['tools/call', 'ok'],
      ],
    );
  });

  it.each(['2025-11-25', '2026-07-28'])('asks the client in %s', async (version) => {
    const client = new McpClient(memoryWire(library()), {
      version,
      capabilities: { elicitation: {} },
      answer: () => ({ action: 'accept', content: { name: 'ann' } }),
    });
    await client.initialize();
    expect((await client.request('tools/call', reading('memo://asked'))).content).toEqual([
      { type: 'text', text: '"for ann"' },
    ]);
  });

  it('is cancelled with the request of the client', async () => {
    const aborted: unknown[] = [];
    const { request, peer } = connectDirect(library({}, aborted));
    const answer = request('tools/call', reading('memo://slow'), 5);
    peer.running.get(5)?.cancel();
    expect(await answer).toBeUndefined();
    expect(aborted).toMatchObject([{ name: 'AbortError' }]);
  });

  it('reports progress to the client', async () => {
    const { request, received } = connectDirect(library());
    await request('tools/call', { ...reading('memo://steps'), _meta: { progressToken: 'p' } });
    expect(received).toMatchObject([{ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } }]);
  });

  it('of a part of a composed server is served by the part', async () => {
    const whole = compose({ one: { server: library(), prefix: 'one_' } }, { name: 'whole', version: '1' });
    const answer = await connectDirect(whole).request('tools/call', { ...reading('memo://open'), name: 'one_read' });
    expect(textOf(answer)).toBe('"for all"');
  });
});

import { createServer, ProtocolError, resource, type Server, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Transport } from '@ccmcp/core/client';
import { tasks } from '@ccmcp/core/tasks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };
const relatedTask = 'io.modelcontextprotocol/related-task';
const raw = { raw: true } as const;

/** A server that makes resources which it does not list. */
function making(name: string): Server {
  const server = createServer({
    name,
    version: '1',
    resources: [resource(`memo://listed-by-${name}`, { name: 'listed' }, () => name)],
    tools: [
      tool('make', {}, () => ({
        content: [{ type: 'resource_link', uri: `made://${name}`, name: 'made' }],
      })),
    ],
  });
  server.use((operation, next) => {
    const { method, params } = operation;
    if (method !== 'resources/read' || params.uri === `memo://listed-by-${name}`) return next();
    if (params.uri === `made://${name}`) return { contents: [{ uri: params.uri, text: `made by ${name}` }] };
    throw new ProtocolError(-32002, `${name} does not have it`, { uri: params.uri, looked: 1 });
  });
  return server;
}

describe.each(['2025-11-25', '2026-07-28'])('a resource that no upstream of %s lists', (behind) => {
  const gateway = () => {
    const options = (name: string) => ({ name, prefix: `${name}_`, client: pinned(behind) });
    return compose({ a: part(making('a'), options('a')), b: part(making('b'), options('b')) }, whole);
  };

  it('is read if a tool linked to it', async () => {
    const client = await clientOf(gateway(), '2025-11-25');
    await client.callTool('b_make');
    await client.callTool('a_make');
    expect(await client.readResource('made://b')).toMatchObject({ contents: [{ text: 'made by b' }] });
    expect(await client.readResource('made://a')).toMatchObject({ contents: [{ text: 'made by a' }] });
  });

  it('is routed to the upstream that has its scheme, and returns its error', async () => {
    const client = await clientOf(gateway(), '2025-11-25');
    await client.listResources().all();
    await expect(client.request('resources/read', { uri: 'memo://missing' }, raw)).rejects.toMatchObject({
      code: -32002,
      data: { uri: 'memo://missing', looked: 1 },
    });
  });

  it('is not found if no upstream may have it', async () => {
    const client = await clientOf(gateway(), '2025-11-25');
    await expect(client.readResource('other://one')).rejects.toMatchObject({ code: -32002 });
  });
});

describe('a URL elicitation', () => {
  const asking = (): Server => {
    let isVisited = false;
    return createServer({
      name: 'asking',
      version: '1',
      tools: [
        tool('page', {}, async (_, context) => {
          const { action } = await context.elicit({ message: 'Sign in', url: 'https://example.com/sign-in' });
          return action;
        }),
        tool('required', {}, () => {
          if (isVisited) return 'visited';
          isVisited = true;
          const page = { mode: 'url', elicitationId: 'e', message: 'Visit', url: 'https://example.com/visit' };
          throw new ProtocolError(-32042, 'Visit a page', { elicitations: [page] });
        }),
      ],
    });
  };

  it('has no handshake id in a question to a stateless client', async () => {
    const server = compose({ up: part(asking(), { client: pinned('2025-11-25') }) }, whole);
    const client = await clientOf(server, '2026-07-28', { elicitUrl: () => ({ action: 'accept' }) });
    const result = await client.request('tools/call', { name: 'page', arguments: {} }, raw);
    const [{ params }] = Object.values(result.inputRequests as Record<string, { params: object }>) as [
      { params: object },
    ];
    expect(params).toEqual({ mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in' });
  });

  it('that a handshake server requires by an error is a question to a stateless client', async () => {
    const server = compose({ up: part(asking(), { client: pinned('2025-11-25') }) }, whole);
    const visited: string[] = [];
    const elicitUrl = ({ url }: { url: string }) => {
      visited.push(url);
      return { action: 'accept' } as const;
    };
    const client = await clientOf(server, '2026-07-28', { elicitUrl });
    expect(await client.callTool('required')).toMatchObject({ content: [{ text: 'visited' }] });
    expect(visited).toEqual(['https://example.com/visit']);
  });
});

describe.each(versions)('a client of %s', (front) => {
  it('does not receive upstream task ids', async () => {
    const working = createServer({
      name: 'working',
      version: '1',
      extensions: [tasks({ pollMs: 10 })],
      tools: [tool('only', { task: 'required' }, () => 'done')],
    });
    const server = compose({ up: part(working, { client: pinned('2025-11-25') }) }, whole);
    const client = await clientOf(server, front);
    const listed = (await client.listTools().all())[0] as { execution?: { taskSupport: string } };
    expect(listed.execution).toEqual(front === '2025-11-25' ? { taskSupport: 'optional' } : undefined);
    const result = await client.request('tools/call', { name: 'only', arguments: {} }, raw);
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(result._meta ?? {}).not.toHaveProperty([relatedTask]);
  });
});

describe.each(['2025-11-25', '2026-07-28'])('a question that a client of %s has not declared', (front) => {
  it.each([
    ['foo/bar', {}, -32601],
    ['sampling/createMessage', { messages: [], maxTokens: 1 }, -32601],
    ['elicitation/create', { mode: 'url', message: 'a', url: 'https://example.com', elicitationId: 'e' }, -32602],
  ])('is rejected: %s', async (method, params, code) => {
    const up = part(scripted(method, params), { client: pinned('2025-11-25') });
    const client = await clientOf(compose({ up }, whole), front, {
      elicit: () => ({ action: 'accept', content: {} }),
    });
    const { content } = await client.callTool('ask');
    expect(content).toEqual([{ type: 'text', text: `${code}` }]);
  });
});

it('a single-block answer of a model is sent to a handshake server without the list', async () => {
  const question = { messages: [], maxTokens: 1 };
  const up = part(scripted('sampling/createMessage', question), { client: pinned('2025-11-25') });
  const block = { type: 'text', text: 'hello' } as const;
  const client = await clientOf(compose({ up }, whole), '2025-11-25', {
    sample: () => ({ role: 'assistant', content: [block], model: 'm' }),
  });
  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: JSON.stringify(block) }] });
});

it('notifies only the client that was asked that a page was completed', async () => {
  const page = { mode: 'url', message: 'a', url: 'https://example.com', elicitationId: 'e' };
  const up = part(scripted('elicitation/create', page), { client: pinned('2025-11-25') });
  const server = compose({ up }, whole);
  const completed: string[] = [];
  const clientNamed = (name: string) =>
    clientOf(server, '2025-11-25', {
      elicitUrl: () => ({ action: 'accept' }),
      onElicitationComplete: (id) => completed.push(`${name} ${id}`),
    });
  const one = await clientNamed('one');
  await clientNamed('other');
  expect(await one.callTool('ask')).toMatchObject({ content: [{ text: 'accept' }] });
  await vi.waitFor(() => expect(completed).toEqual(['one e']));
});

/** A server whose tool asks without looking at what the client declared, and returns what it was answered, or the code of the error. */
function scripted(method: string, params: object): { connect: () => Transport } {
  const connect = (): Transport => {
    let receiver: Parameters<Transport['start']>[0] | undefined;
    const say = (message: object): void => receiver?.receive({ jsonrpc: '2.0', ...message } as never);
    let call: unknown;
    const serverInfo = { name: 'scripted', version: '1' };
    const results: Record<string, object> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
    };
    return {
      streamPerRequest: false,
      start: (by) => {
        receiver = by;
        return Promise.resolve();
      },
      send(message) {
        queueMicrotask(() => {
          if ('error' in message) {
            say({ id: call, result: { content: [{ type: 'text', text: String(message.error.code) }] } });
          } else if ('result' in message) {
            const { action, content } = message.result as { action?: string; content?: unknown };
            say({ id: call, result: { content: [{ type: 'text', text: action ?? JSON.stringify(content) }] } });
            say({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e' } });
          } else if ('method' in message && 'id' in message) {
            if (message.method === 'tools/call') {
              call = message.id;
              say({ id: 'question', method, params });
            } else say({ id: message.id, result: results[message.method] ?? {} });
          }
        });
        return undefined;
      },
      close: () => Promise.resolve(),
    };
  };
  return { connect };
}

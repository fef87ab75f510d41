import { type CallToolResult, createServer, tool } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client, ConnectOptions } from '@ccmcp/core/client';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part } from './fixtures/clients.ts';
import { type HostileRequest, hostileHttp } from './fixtures/hostile-http.ts';
import type { Remote } from './remote.ts';

afterEach(closeAll);

const eras = ['handshake', 'stateless'] as const;
const fronts = ['2025-11-25', '2026-07-28'];
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
const namesOf = async (client: Client): Promise<string[]> => (await client.listTools().all()).map(({ name }) => name);

interface Through {
  up: Remote;
  clientFor(front: string, options?: ConnectOptions): Promise<Client>;
}

/** A gateway to an upstream over HTTP that misbehaves. */
async function through(era: (typeof eras)[number], misbehave: Parameters<typeof hostileHttp>[1]): Promise<Through> {
  const own = createServer({ name: 'own', version: '1', tools: [tool('own', {}, () => 'own')] });
  const up = part({ url: await hostileHttp(era, misbehave) }, { backoff: { firstMs: 60_000 } });
  const server = compose({ up, own }, { name: 'gateway', version: '1' });
  return { up, clientFor: (front, options) => clientOf(server, front, options) };
}

/** Misbehaves once, at a method. */
function onceAt(method: string, act: (request: HostileRequest) => void): (request: HostileRequest) => boolean {
  let isDone = false;
  return (request) => {
    if (isDone || request.method !== method) return false;
    isDone = true;
    act(request);
    return true;
  };
}

const json = { 'Content-Type': 'application/json' };
const stream = { 'Content-Type': 'text/event-stream' };
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const text = (value: string): object => ({ resultType: 'complete', content: [{ type: 'text', text: value }] });

const lists: Record<string, { answer: (request: HostileRequest) => void; reason: RegExp }> = {
  'that is no list': { answer: ({ answer }) => answer({ tools: {} }), reason: /has no "tools"/ },
  'whose pages repeat': {
    answer: ({ answer }) => answer({ tools: [], nextCursor: 'same' }),
    reason: /same page twice/,
  },
};

describe.each(eras)('a %s upstream over HTTP with a list', (era) => {
  it.each(Object.keys(lists))('%s is left out, and errors and status say why', async (name) => {
    const { answer, reason } = lists[name] as (typeof lists)[string];
    const { up, clientFor } = await through(era, (request) => {
      if (request.method !== 'tools/list') return false;
      answer(request);
      return true;
    });
    const client = await clientFor('2025-11-25');
    expect(await namesOf(client)).toEqual(['own']);
    await expect(client.callTool('echo')).rejects.toThrow(reason);
    expect(up.status.lastError).toMatch(reason);
  });
});

const failures: Record<string, (request: HostileRequest) => void> = {
  'has the id of another': ({ response }) =>
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: 99_999, result: text('wrong') })),
  'is a page': ({ response }) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>login</html>'),
  'is a long error': ({ response }) => response.writeHead(500).end('boom '.repeat(100_000)),
  'is a redirect': ({ response }) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  'breaks off': ({ response }) => {
    response.writeHead(200, stream);
    response.write('data: {"jsonrpc":"2.0"', () => response.destroy());
  },
  'never ends': ({ response }) => {
    response.writeHead(200, stream).write('data: ');
    const write = (): void => {
      while (!response.destroyed) if (!response.write('x'.repeat(1 << 20))) break;
    };
    response.on('drain', write);
    write();
  },
};

describe.each(eras)('a call of a %s upstream over HTTP whose answer', (era) => {
  it.each(Object.keys(failures))('%s fails with an error of the upstream, and the next one is served', async (name) => {
    const { clientFor } = await through(era, onceAt('tools/call', failures[name] as (typeof failures)[string]));
    const client = await clientFor('2025-11-25');
    await namesOf(client);
    await expect(client.callTool('echo')).rejects.toThrow(/^The upstream "up" (was lost|failed)/);
    expect(textOf(await client.callTool('echo'))).toBe('fine');
  });

  it('comes twice, among messages for nobody, gets the first one', async () => {
    const { clientFor } = await through(
      era,
      onceAt('tools/call', ({ id, response }) => {
        response.writeHead(200, stream);
        const progress = { method: 'notifications/progress', params: { progressToken: 'nobody', progress: 1 } };
        response.write(event(progress).repeat(5000));
        response.end(event({ id, result: text('one') }) + event({ id, result: text('two') }));
      }),
    );
    const client = await clientFor('2025-11-25');
    await namesOf(client);
    expect(textOf(await client.callTool('echo'))).toBe('one');
    expect(textOf(await client.callTool('echo'))).toBe('fine');
  });
});

const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const results: Record<string, { result: object; reason: RegExp }> = {
  'of an unknown type': { result: { resultType: 'other', content: [] }, reason: /unknown type "other"/ },
  'that is a malformed task': { result: { resultType: 'task', taskId: {} }, reason: /unknown type "task"/ },
  'with thousands of questions': {
    result: {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, question])),
    },
    reason: /asks 5000 questions at once/,
  },
  'with a state that no client could send back': {
    result: { resultType: 'input_required', inputRequests: { who: question }, requestState: 's'.repeat(3 << 20) },
    reason: /"requestState" of the upstream "up" is malformed/,
  },
};

describe.each(fronts)('a client of %s', (front) => {
  it.each(Object.keys(results))(
    'gets an error for a result of a stateless upstream %s, and is asked nothing',
    async (name) => {
      const { result, reason } = results[name] as (typeof results)[string];
      const { clientFor } = await through(
        'stateless',
        onceAt('tools/call', ({ answer }) => answer(result)),
      );
      let asked = 0;
      const elicit = (): { action: 'decline' } => {
        asked += 1;
        return { action: 'decline' };
      };
      const client = await clientFor(front, { elicit });
      await namesOf(client);
      await expect(client.callTool('echo')).rejects.toThrow(reason);
      expect(asked).toBe(0);
      expect(textOf(await client.callTool('echo'))).toBe('fine');
    },
  );
});

it('an upstream that ends or never acknowledges subscriptions is listed and called', async () => {
  for (const isEnded of [true, false]) {
    const { clientFor } = await through('stateless', ({ method, response }) => {
      if (method !== 'subscriptions/listen') return false;
      response.writeHead(200, stream).flushHeaders();
      if (isEnded) response.end();
      return true;
    });
    const client = await clientFor('2026-07-28');
    expect(await namesOf(client)).toEqual(['echo', 'own']);
    expect(textOf(await client.callTool('echo'))).toBe('fine');
  }
});

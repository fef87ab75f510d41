import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SessionLost } from '../../../client/errors.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import type { Message, Request } from '../../../jsonrpc/message.ts';
import { MethodTable } from '../../../protocol/methods.ts';
import { answer, reject, type Script, type RecordedRequest, scripted, stream } from './fixtures/scripted.ts';
import { httpTransport } from './transport.ts';

interface Posted {
  transport: Transport;
  seen: RecordedRequest[];
  received: Message[];
  warnings: string[];
  lost: number;
}

async function reach(script: Script): Promise<Posted> {
  const { url, seen } = await scripted(script);
  const transport = httpTransport(url);
  const posted: Posted = { transport, seen, received: [], warnings: [], lost: 0 };
  const receiver: Receiver = {
    methods: new MethodTable(),
    receive: (message) => posted.received.push(message),
    warn: (text) => posted.warnings.push(text),
    sessionLost: () => {
      posted.lost += 1;
    },
    closed: () => {},
  };
  await transport.start(receiver);
  onTestFinished(() => transport.close());
  return posted;
}

function receiver(receive: Receiver['receive']): Receiver {
  return { methods: new MethodTable(), receive, warn: () => {}, sessionLost: () => {}, closed: () => {} };
}

const request = (method: string, params?: object): Request => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params !== undefined && { params: { ...params } }),
});
const initialize = request('initialize', { protocolVersion: '2025-11-25' });
const notice = { jsonrpc: '2.0', method: 'notifications/x' } as const;
const rejection = { code: -32050, message: 'No' };

describe('a posted message', () => {
  it('times out if the server never accepts it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { transport, seen } = await reach(() => true);
    const outcome = transport.send(notice)?.catch((error: unknown) => error);
    while (seen.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(60_000);
    expect(await outcome).toMatchObject({
      name: 'TimeoutError',
      message: 'The server did not accept a message within 60000 ms',
    });
  });

  it('resolves with the response, and starts the session', async () => {
    const { transport, received, seen } = await reach(() => undefined);
    await transport.send(initialize);
    expect(received).toMatchObject([{ id: 7, result: { protocolVersion: '2025-11-25' } }]);
    await transport.send(notice);
    expect(seen[1]?.headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' });
    await transport.send(initialize);
    expect(seen[2]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('starts no session if it is rejected', async () => {
    const { transport, seen } = await reach(({ method, id }, response) => {
      if (method !== 'initialize') return undefined;
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'no' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: rejection }));
      return true;
    });
    await transport.send(initialize);
    await transport.send(notice);
    expect(seen[1]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('gets a JSON-RPC error as its response, whatever id that has', async () => {
    const { transport, received } = await reach((_, response) => reject(response, 400, rejection));
    await transport.send(request('x/y'));
    expect(received).toEqual([{ jsonrpc: '2.0', id: 7, error: rejection }]);
  });

  it('without a response rejects on an error status', async () => {
    const { transport, received } = await reach((_, response) => reject(response, 400, rejection));
    await expect(transport.send(notice)).rejects.toMatchObject({ name: 'HttpError', status: 400, message: 'No' });
    expect(received).toEqual([]);
  });

  it('detects a lost session by 404, in a session only', async () => {
    let status = 404;
    const { transport, seen } = await reach(({ method }, response) =>
      method === 'initialize' ? undefined : reject(response, status),
    );
    await expect(transport.send(request('x/y'))).rejects.toMatchObject({ name: 'HttpError', status: 404 });
    await transport.send(initialize);
    status = 400;
    await expect(transport.send(request('x/y'))).rejects.toMatchObject({ name: 'HttpError', status: 400 });
    status = 404;
    await expect(transport.send(notice)).rejects.toBeInstanceOf(SessionLost);
    await expect(transport.send(request('x/y'))).rejects.toMatchObject({ name: 'HttpError', status: 404 });
    expect(seen.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('discards the body of a 404 for a lost session', async () => {
    let left = false;
    const gone = new ReadableStream({
      cancel() {
        left = true;
      },
    });
    const begun = { jsonrpc: '2.0', id: 7, result: { protocolVersion: '2025-11-25' } };
    const answers = [Response.json(begun, { headers: { 'mcp-session-id': 's' } }), new Response(gone, { status: 404 })];
    const transport = httpTransport('http://a.example/', {
      fetch: async () => answers.shift() ?? new Response(null, { status: 202 }),
    });
    await transport.start(receiver(() => {}));
    onTestFinished(() => transport.close());
    await transport.send(initialize);
    await expect(transport.send(notice)).rejects.toBeInstanceOf(SessionLost);
    expect(left).toBe(true);
  });

  it('outside of a session never detects a lost session', async () => {
    let isGone = false;
    const { transport } = await reach((_, response) => (isGone ? reject(response, 404) : undefined));
    await transport.send(initialize);
    isGone = true;
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await expect(transport.send(initialize)).rejects.toMatchObject({ name: 'HttpError', status: 404 });
    await expect(transport.send(request('x/y', { _meta }))).rejects.toMatchObject({ name: 'HttpError', status: 404 });
    await expect(transport.send(request('x/y'))).rejects.toBeInstanceOf(SessionLost);
  });

  it('does not end a session that started meanwhile', async () => {
    let sessions = 0;
    let held: ServerResponse | undefined;
    const { transport, seen } = await reach(({ method, id, params }, response) => {
      if (method === 'initialize') {
        sessions += 1;
        return answer(response, id, { protocolVersion: params.protocolVersion }, { 'mcp-session-id': `s${sessions}` });
      }
      if (method !== 'x/slow') return undefined;
      held = response;
      return true;
    });
    await transport.send(initialize);
    const slow = transport.send({ ...request('x/slow'), id: 8 });
    await transport.send(notice);
    await transport.send(initialize);
    reject(held as ServerResponse, 404);
    await expect(slow).rejects.toBeInstanceOf(SessionLost);
    await transport.send(notice);
    expect(seen.at(-1)?.headers).toHaveProperty('mcp-session-id', 's2');
  });

  it('records mirrored arguments from lists of the stateless era only', async () => {
    const tools = [
      { name: 'x', inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } },
    ];
    const { transport, received, warnings } = await reach(({ method, id }, response) =>
      method === 'tools/list' || method === 'x/list' ? answer(response, id, { tools }) : undefined,
    );
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await transport.send(request('tools/list'));
    await transport.send(request('x/list', { _meta }));
    expect(warnings).toEqual([]);
    await transport.send(request('tools/list', { _meta }));
    expect(warnings).toHaveLength(1);
    expect(received).toMatchObject([{ result: { tools } }, { result: { tools } }, { result: { tools: [] } }]);
  });
});

describe('closing the transport', () => {
  it('aborts requests, and deletes its session', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { transport, seen, received } = await reach(({ method }, response) => {
      if (method !== 'x/y') return undefined;
      response.on('close', left);
      return stream(response, ': working');
    });
    await transport.send(initialize);
    const sent = transport.send(request('x/y'));
    await transport.send(notice);
    await transport.close();
    await sent;
    await gone;
    expect(seen.at(-1)).toMatchObject({ verb: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
    expect(received).toHaveLength(1);
    await transport.close();
    expect(seen.filter(({ verb }) => verb === 'DELETE')).toHaveLength(1);
  });

  it('waits for messages without a response', async () => {
    const { transport, seen } = await reach(() => undefined);
    void transport.send(notice);
    await transport.close();
    expect(seen.map(({ method }) => method)).toEqual(['notifications/x']);
  });

  it('sends no DELETE without a session', async () => {
    const { transport, seen } = await reach(() => undefined);
    await transport.close();
    expect(seen).toEqual([]);
  });

  it('ignores a server that is unreachable', async () => {
    const { transport } = await reach(({ verb }, response) => {
      if (verb !== 'DELETE') return undefined;
      response.destroy();
      return true;
    });
    await transport.send(initialize);
    expect(await transport.close()).toBeUndefined();
  });
});

describe('an abandoned request', () => {
  it('resolves quietly, and does not affect another one with its id', async () => {
    const { transport, received } = await reach(({ method }, response) =>
      method === 'x/y' ? stream(response, ': working') : undefined,
    );
    const sent = transport.send(request('x/y'));
    transport.abandon?.(8);
    transport.abandon?.(7);
    await sent;
    expect(received).toEqual([]);
    transport.abandon?.(7);
  });
});

describe('the server stream of the transport', () => {
  it('delivers messages, and reports a lost session', async () => {
    let gets = 0;
    const posted = await reach(({ verb }, response) => {
      if (verb !== 'GET') return undefined;
      gets += 1;
      if (gets > 1) return reject(response, 404);
      stream(response, 'retry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/x"}', 'data: {}');
      response.end();
      return true;
    });
    await posted.transport.send(initialize);
    await posted.transport.openStream?.();
    await expect.poll(() => posted.lost).toBe(1);
    expect(posted.received.at(-1)).toEqual(notice);
    expect(posted.warnings).toEqual([expect.stringMatching(/^The server sent an invalid message/)]);
    await posted.transport.send(notice);
    expect(posted.seen.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('is closed when a request detects the lost session', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { transport } = await reach(({ verb, method }, response) => {
      if (method === 'x/y') return reject(response, 404);
      if (verb !== 'GET') return undefined;
      response.on('close', left);
      return stream(response, ': open');
    });
    await transport.send(initialize);
    await transport.openStream?.();
    await expect(transport.send(request('x/y'))).rejects.toBeInstanceOf(SessionLost);
    expect(await gone).toBeUndefined();
  });

  it('is replaced by a new one', async () => {
    const closed: number[] = [];
    let gets = 0;
    const posted = await reach(({ verb }, response) => {
      if (verb !== 'GET') return undefined;
      gets += 1;
      const nth = gets;
      response.on('close', () => closed.push(nth));
      return stream(response, ': open');
    });
    await posted.transport.openStream?.();
    await posted.transport.openStream?.();
    await expect.poll(() => closed).toEqual([1]);
    await posted.transport.close();
    await expect.poll(() => closed).toEqual([1, 2]);
  });
});

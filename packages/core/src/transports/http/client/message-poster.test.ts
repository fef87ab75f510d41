import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SessionLost } from '../../../client/errors.ts';
import type { Receiver, Transport } from '../../../client/transport.ts';
import type { Message, Request } from '../../../jsonrpc/message.ts';
import { MethodTable } from '../../../protocol/methods.ts';
import { answer, refuse, type Script, type Seen, scripted, stream } from './fixtures/scripted.ts';
import { httpTransport } from './transport.ts';

interface Posted {
  transport: Transport;
  seen: Seen[];
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
const refusal = { code: -32050, message: 'No' };

describe('a message that is posted', () => {
  it('is given up where the server never takes it, though nobody waits for an answer', async () => {
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

  it('is answered to its sender, with the session that the server began', async () => {
    const { transport, received, seen } = await reach(() => undefined);
    await transport.send(initialize);
    expect(received).toMatchObject([{ id: 7, result: { protocolVersion: '2025-11-25' } }]);
    await transport.send(notice);
    expect(seen[1]?.headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' });
    await transport.send(initialize);
    expect(seen[2]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('begins no session where it is refused', async () => {
    const { transport, seen } = await reach(({ method, id }, response) => {
      if (method !== 'initialize') return undefined;
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'no' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: refusal }));
      return true;
    });
    await transport.send(initialize);
    await transport.send(notice);
    expect(seen[1]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('gets a refusal of the protocol as its answer, whatever id that had', async () => {
    const { transport, received } = await reach((_, response) => refuse(response, 400, refusal));
    await transport.send(request('x/y'));
    expect(received).toEqual([{ jsonrpc: '2.0', id: 7, error: refusal }]);
  });

  it('that needs no answer is refused by an exception', async () => {
    const { transport, received } = await reach((_, response) => refuse(response, 400, refusal));
    await expect(transport.send(notice)).rejects.toMatchObject({ name: 'HttpError', status: 400, message: 'No' });
    expect(received).toEqual([]);
  });

  it('finds out that the session is gone, but only in a session, and only by 404', async () => {
    let status = 404;
    const { transport, seen } = await reach(({ method }, response) =>
      method === 'initialize' ? undefined : refuse(response, status),
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

  it('leaves unread what a server says of a session that is gone', async () => {
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

  it('that belongs to no session can’t find out that one is gone', async () => {
    let isGone = false;
    const { transport } = await reach((_, response) => (isGone ? refuse(response, 404) : undefined));
    await transport.send(initialize);
    isGone = true;
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await expect(transport.send(initialize)).rejects.toMatchObject({ name: 'HttpError', status: 404 });
    await expect(transport.send(request('x/y', { _meta }))).rejects.toMatchObject({ name: 'HttpError', status: 404 });
    await expect(transport.send(request('x/y'))).rejects.toBeInstanceOf(SessionLost);
  });

  it('leaves a session alone that was begun since', async () => {
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
    refuse(held as ServerResponse, 404);
    await expect(slow).rejects.toBeInstanceOf(SessionLost);
    await transport.send(notice);
    expect(seen.at(-1)?.headers).toHaveProperty('mcp-session-id', 's2');
  });

  it('learns which arguments to repeat only from lists of the stateless era', async () => {
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

describe('a transport that is closed', () => {
  it('lets go of requests, and ends its session', async () => {
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

  it('waits for what has only to be sent', async () => {
    const { transport, seen } = await reach(() => undefined);
    void transport.send(notice);
    await transport.close();
    expect(seen.map(({ method }) => method)).toEqual(['notifications/x']);
  });

  it('has nobody to say goodbye to where there is no session', async () => {
    const { transport, seen } = await reach(() => undefined);
    await transport.close();
    expect(seen).toEqual([]);
  });

  it('does not mind a server that is gone', async () => {
    const { transport } = await reach(({ verb }, response) => {
      if (verb !== 'DELETE') return undefined;
      response.destroy();
      return true;
    });
    await transport.send(initialize);
    expect(await transport.close()).toBeUndefined();
  });
});

describe('a request that is abandoned', () => {
  it('ends quietly, and another with its id is not touched', async () => {
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

describe('the way for what the server says by itself', () => {
  it('hands on messages, and tells when the session is gone', async () => {
    let gets = 0;
    const posted = await reach(({ verb }, response) => {
      if (verb !== 'GET') return undefined;
      gets += 1;
      if (gets > 1) return refuse(response, 404);
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

  it('is left with the session, once a request has found out that it is gone', async () => {
    let left = (): void => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { transport } = await reach(({ verb, method }, response) => {
      if (method === 'x/y') return refuse(response, 404);
      if (verb !== 'GET') return undefined;
      response.on('close', left);
      return stream(response, ': open');
    });
    await transport.send(initialize);
    await transport.openStream?.();
    await expect(transport.send(request('x/y'))).rejects.toBeInstanceOf(SessionLost);
    expect(await gone).toBeUndefined();
  });

  it('is one: a new one replaces the old', async () => {
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

import { describe, expect, it } from 'vitest';
import type { ServerExtension } from '../../../../server/extension.ts';
import { memoryStore } from '../../../../stores/memory.ts';
import { handshake, post, statelessClient } from '../fixtures/client.ts';
import { type EventReader, readEvents } from '../fixtures/events.ts';
import { type StartedServer, start } from '../fixtures/start.ts';
import type { ServeHttpOptions } from '../serve.ts';

const id = 'com.example/tickets';
const capabilities = { extensions: { [id]: {} } };
const called = 'notifications/tickets/called';
const queue = 'notifications/tickets/queue';
const collected = 'notifications/tickets/collected';
const M = 'io.modelcontextprotocol/';

interface Collected {
  params: unknown;
  principal: string | undefined;
}

/** Numbers for a queue: requests, results of an own type, notifications in both directions, something to listen to. */
function tickets(received: Collected[] = []): ServerExtension {
  return {
    id,
    methods: {
      'tickets/draw': { serve: () => ({ resultType: 'ticket', number: 1 }) },
      'tickets/call': {
        serve({ notify }) {
          notify(called, { number: 1 });
          return { number: 1 };
        },
      },
      'tickets/get': { mirrors: 'ticketId', serve: ({ params }) => ({ ticketId: params.ticketId }) },
    },
    notifications: {
      [called]: { broadcast: true },
      [queue]: { broadcast: true, droppable: true },
      [collected]: {
        receive: ({ params, auth }) => void received.push({ params: params.number, principal: auth?.principal }),
      },
    },
    listens: {
      tickets: (wish) => ({ granted: wish, matches: (method) => method === called || method === queue }),
    },
  };
}

function startTickets(options: ServeHttpOptions = {}, received?: Collected[]): Promise<StartedServer> {
  return start(options, { extensions: [tickets(received)] });
}

const withTickets = { [`${M}protocolVersion`]: '2026-07-28', [`${M}clientCapabilities`]: capabilities };

/** Posts a notification with the capabilities of its sender. */
async function notify(
  url: string,
  method: string,
  number: number,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await post(url, { jsonrpc: '2.0', method, params: { number, _meta: withTickets } }, headers);
  await response.text();
  return response.status;
}

async function listen(url: string): Promise<EventReader> {
  const client = statelessClient(url, { capabilities });
  const events = readEvents(await client.send('subscriptions/listen', { notifications: { tickets: true } }, { id: 7 }));
  expect(await events.message()).toMatchObject({ params: { notifications: { tickets: true } } });
  return events;
}

describe('a method of an extension over HTTP', () => {
  it('is not found on a server without the extension (X-05)', async () => {
    const { url } = await start();
    const response = await statelessClient(url, { capabilities }).send('tickets/draw', {}, { id: 'x' });
    expect([response.status, await response.json()]).toMatchObject([404, { id: 'x', error: { code: -32601 } }]);
  });

  it('is rejected if the request does not declare it, and names the required capability (X-04)', async () => {
    const { url } = await startTickets();
    const response = await statelessClient(url).send('tickets/draw', {}, { id: 'x' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: 'x', error: { code: -32021, data: { requiredCapabilities: capabilities } } },
    ]);
  });

  it('is served if the request declares it, with its own result type', async () => {
    const { url } = await startTickets();
    const response = await statelessClient(url, { capabilities }).send('tickets/draw');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({ result: { resultType: 'ticket', number: 1 } });
  });

  it('is served in a session that declared it (X-03)', async () => {
    const { url } = await startTickets();
    const session = await handshake(url, { capabilities });
    expect(await session.request('tickets/draw')).toMatchObject({ result: { resultType: 'ticket', number: 1 } });
  });

  it.each([
    ['is missing', {}],
    ['names another', { 'Mcp-Name': 't2' }],
    ['is written in another case', { 'Mcp-Name': 'T1' }],
  ])('that is repeated in Mcp-Name is rejected where that %s', async (_, headers) => {
    const { url } = await startTickets();
    const client = statelessClient(url, { capabilities });
    const response = await client.send('tickets/get', { ticketId: 't1' }, { id: 'x', headers });
    expect([response.status, await response.json()]).toMatchObject([400, { id: 'x', error: { code: -32020 } }]);
  });

  it('is served if Mcp-Name matches', async () => {
    const { url } = await startTickets();
    const client = statelessClient(url, { capabilities });
    const headers = { 'Mcp-Name': `=?base64?${Buffer.from('tück').toString('base64')}?=` };
    const response = await client.send('tickets/get', { ticketId: 'tück' }, { headers });
    expect([response.status, await response.json()]).toMatchObject([200, { result: { ticketId: 'tück' } }]);
  });

  it('that sends notifications is answered with a stream', async () => {
    const { url } = await startTickets();
    const response = await statelessClient(url, { capabilities }).send('tickets/call', {}, { id: 'x' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await readEvents(response).rest()).toMatchObject([
      { method: called, params: { number: 1 } },
      { id: 'x', result: { number: 1 } },
    ]);
  });
});

describe('a stateless notification of an extension over HTTP', () => {
  it('is accepted and delivered, with its sender', async () => {
    const received: Collected[] = [];
    const auth = { authenticate: () => ({ principal: 'anna' }) };
    const { url } = await startTickets({ auth }, received);
    expect(await notify(url, collected, 7)).toBe(202);
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': collected };
    expect(await notify(url, collected, 8, headers)).toBe(202);
    expect(received).toEqual([
      { params: 7, principal: 'anna' },
      { params: 8, principal: 'anna' },
    ]);
  });

  it.each([
    ['Mcp-Method', { 'Mcp-Method': called }],
    ['MCP-Protocol-Version', { 'MCP-Protocol-Version': '2025-11-25' }],
  ])('is rejected where %s says something else', async (_, headers) => {
    const received: Collected[] = [];
    const { url } = await startTickets({}, received);
    expect(await notify(url, collected, 7, headers)).toBe(400);
    expect(received).toEqual([]);
  });
});

describe('a server notification of an extension over HTTP', () => {
  it('reaches subscribers', async () => {
    const { url, server } = await startTickets();
    const events = await listen(url);
    server.notify(called, { number: 2 });
    expect(await events.message()).toEqual({
      jsonrpc: '2.0',
      method: called,
      params: { number: 2, _meta: { [`${M}subscriptionId`]: 7 } },
    });
  });

  it('reaches subscribers on another instance', async () => {
    const store = memoryStore();
    const [one, two] = await Promise.all([startTickets({ store }), startTickets({ store })]);
    const events = await listen(one.url);
    two.server.notify(called, { number: 2 });
    expect(await events.message()).toMatchObject({ method: called, params: { number: 2 } });
  });

  it('reaches sessions that declared it, on any instance, and no others', async () => {
    const store = memoryStore();
    const [one, two] = await Promise.all([startTickets({ store }), startTickets({ store })]);
    const [knows, other] = await Promise.all([handshake(one.url, { capabilities }), handshake(one.url)]);
    const [standalone, plain] = await Promise.all([knows.listen({}, { url: two.url }), other.listen()]);
    one.server.notify(called, { number: 3 });
    expect(await standalone.message()).toEqual({ jsonrpc: '2.0', method: called, params: { number: 3 } });
    two.server.notify(called, { number: 4 });
    expect(await standalone.message()).toMatchObject({ method: called, params: { number: 4 } });
    one.server.tools.remove('big');
    expect(await plain.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it.each([
    ['lost for a reader that is behind, where it may be', queue, false],
    ['sent in full to a reader that is behind, where it may not be lost', called, true],
  ])('is %s (RX-09)', async (_, method, inFull) => {
    const { url, server } = await startTickets();
    const events = await listen(url);
    const filling = 'x'.repeat(10_000);
    for (let number = 0; number < 100; number++) server.notify(method, { number, filling });
    server.notify(called, { number: 'last' });
    let count = 0;
    while ((await events.message())?.params?.number !== 'last') count += 1;
    expect(count === 100).toBe(inFull);
    expect(count).toBeGreaterThan(0);
  });
});

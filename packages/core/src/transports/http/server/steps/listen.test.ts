import { describe, expect, it } from 'vitest';
import { handshake, statelessClient } from '../fixtures/client.ts';
import { type EventReader, readEvents } from '../fixtures/events.ts';
import { rawConnection, rawPost } from '../fixtures/raw.ts';
import { start } from '../fixtures/start.ts';
import { engineOf } from '../../../../server/server-handle.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

async function listen(url: string, notifications: object, id: string | number = 'sub'): Promise<EventReader> {
  const response = await statelessClient(url).send('subscriptions/listen', { notifications }, { id });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  return readEvents(response);
}

describe('subscriptions/listen over HTTP', () => {
  it('starts with the acknowledgement, then sends matching notifications with its id (S-U-01, S-U-02, S-U-03)', async () => {
    const { url, server } = await start();
    const events = await listen(url, { toolsListChanged: true, resourceSubscriptions: ['test://one'] }, 9);
    expect(await events.message()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['test://one'] },
        _meta: { [subscriptionId]: 9 },
      },
    });
    server.prompts.remove('greet');
    server.resources.updated('test://two');
    server.log('emergency', 'not on this stream');
    server.resources.updated('test://one');
    server.tools.remove('big');
    expect(await events.message()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'test://one', _meta: { [subscriptionId]: 9 } },
    });
    expect(await events.message()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [subscriptionId]: 9 } },
    });
  });

  it('has no event ids and can not be resumed (S-M-16)', async () => {
    const { url } = await start();
    const events = await listen(url, {});
    expect(await events.next()).toEqual({ data: expect.any(String) });
  });

  it('sends keep-alive comments while idle (HT-51, S-M-12)', async () => {
    const { url } = await start({ keepAliveMs: 20 });
    const events = await listen(url, { toolsListChanged: true });
    await events.message();
    expect(await events.nextLine()).toEqual({ comment: 'keep-alive' });
  });

  it('ends when the client disconnects, and releases everything (S-M-13)', async () => {
    const { url, server } = await start();
    const events = await listen(url, { toolsListChanged: true });
    await events.message();
    expect(engineOf(server).feed.size).toBe(1);
    await events.cancel();
    await expect.poll(() => engineOf(server).feed.size).toBe(0);
  });

  it('ends with its result when the server closes (S-U-05, LD-06)', async () => {
    const { url, service } = await start();
    const events = await listen(url, { toolsListChanged: true }, 'sub');
    await events.message();
    const closing = service.close();
    expect(await events.rest()).toMatchObject([
      { id: 'sub', result: { resultType: 'complete', _meta: { [subscriptionId]: 'sub' } } },
    ]);
    await closing;
  });

  it('ends at once if it arrives during shutdown', async () => {
    const { url, service } = await start();
    const method = 'subscriptions/listen';
    const params = {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const request = rawPost(url, JSON.stringify({ jsonrpc: '2.0', id: 'late', method, params }), {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
    });
    const connection = await rawConnection(url);
    connection.write(request.slice(0, -5));
    // The server has seen the first part when it has answered a later request.
    await statelessClient(url).request('tools/list');
    const closing = service.close({ graceMs: 60_000 });
    connection.write(request.slice(-5));
    expect(await connection.closed()).toMatch(/acknowledged.*"resultType":"complete"/s);
    await closing;
  });

  it('may run several times at once, even with equal ids', async () => {
    const { url, server } = await start();
    const both = await Promise.all([
      listen(url, { toolsListChanged: true }, 1),
      listen(url, { toolsListChanged: true }, 1),
    ]);
    for (const events of both) await events.message();
    server.tools.remove('big');
    for (const events of both) expect(await events.message()).toMatchObject({ method: expect.stringMatching(/tools/) });
  });

  it('is rejected if event streams are not accepted, or above the limit (HT-53)', async () => {
    const { url } = await start({ maxStreams: 2, callerShare: 100 });
    const client = statelessClient(url);
    const params = { notifications: { toolsListChanged: true } };
    const json = await client.send('subscriptions/listen', params, {
      id: 'j',
      headers: { Accept: 'application/json' },
    });
    expect([json.status, await json.json()]).toMatchObject([406, { id: 'j' }]);
    for (let each = 0; each < 2; each++) await (await listen(url, { toolsListChanged: true })).message();
    const rejected = await client.send('subscriptions/listen', params, { id: 'k' });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await rejected.json()).toMatchObject({ id: 'k', error: { code: -32603 } });
    expect((await client.send('tools/list')).status).toBe(200);
  });

  it('is rejected with too many URIs (RX-01)', async () => {
    const { url } = await start({ maxBody: 8 * 1024 * 1024 });
    const resourceSubscriptions = Array.from({ length: 200_000 }, (_, each) => `test://${each}`);
    const params = { notifications: { resourceSubscriptions } };
    expect(await statelessClient(url).request('subscriptions/listen', params)).toMatchObject({
      error: { code: -32602 },
    });
  });

  it('is not for handshake clients, which use the standalone stream (S-U-07, trap 8.17)', async () => {
    const { url, server } = await start();
    const session = await handshake(url);
    const standalone = await session.listen();
    const events = await listen(url, { toolsListChanged: true });
    await events.message();
    server.tools.remove('big');
    expect(await events.message()).toMatchObject({ params: { _meta: { [subscriptionId]: 'sub' } } });
    const received = await standalone.message();
    expect(received).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  });
});

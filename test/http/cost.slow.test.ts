import { describe, expect, it } from 'vitest';
import {
  handshake,
  initializeRequest,
  post,
  statelessClient,
  textOf,
} from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents } from '../../packages/core/src/transports/http/server/fixtures/events.ts';
import { rawConnection, rawPost, statusesIn } from '../../packages/core/src/transports/http/server/fixtures/raw.ts';
import { startChild } from './child.ts';

const KB = 1024;
const MB = 1024 * KB;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

function call(name: string, args: object, id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
}

/** Sends a request repeatedly on one connection. */
async function repeat(url: string, body: string, times: number): Promise<number[]> {
  const connection = await rawConnection(url);
  for (let sent = 0; sent < times; sent += 50) {
    connection.write(rawPost(url, body).repeat(50));
    await connection.answers(sent + 50);
  }
  connection.socket.destroy();
  return statusesIn(connection.received());
}

describe('the memory cost of clients', () => {
  it('a session is small: 5000 open ones take at most 5 KB each (SS-06)', async () => {
    const { url, order } = await startChild();
    await repeat(url, JSON.stringify(initializeRequest()), 100);
    const before = await order({ kind: 'usage' });
    const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };
    await repeat(url, JSON.stringify(initializeRequest({ capabilities })), 5000);
    const after = await order({ kind: 'usage' });
    expect((after.memory - before.memory) / 5000).toBeLessThan(5 * KB);
  });

  it('a closed connection frees its memory (SS-08)', async () => {
    const { url, order } = await startChild();
    const before = await order({ kind: 'usage' });
    for (let round = 0; round < 20; round++) {
      const connections = await Promise.all(Array.from({ length: 100 }, () => rawConnection(url)));
      const speaking = connections.filter((_, each) => each % 2 === 0);
      for (const connection of speaking) connection.write(rawPost(url, JSON.stringify(ping)));
      await Promise.all(speaking.map((connection) => connection.answers(1)));
      for (const { socket } of connections) socket.destroy();
    }
    await expect.poll(async () => (await order({ kind: 'usage' })).descriptors).toBeLessThan(before.descriptors + 20);
  });

  it('a burst is answered to its last request (LC-15)', async () => {
    const { url } = await startChild();
    const lanes = await Promise.all([0, 1, 2, 3].map(() => repeat(url, call('later', { text: 'x' }), 1250)));
    expect(lanes.flat()).toHaveLength(5000);
    expect(new Set(lanes.flat())).toEqual(new Set([200]));
  });

  it('an endless body is bounded in memory (HT-14, HT-15)', async () => {
    const { url, order } = await startChild();
    const before = await order({ kind: 'usage' });
    const piece = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    const connections = await Promise.all([0, 1, 2, 3].map(() => rawConnection(url)));
    let most = 0;
    for (const connection of connections) {
      connection.write(rawPost(url, '', { 'Content-Length': [], 'Transfer-Encoding': 'chunked' }));
      while (!connection.socket.destroyed) {
        for (let each = 0; each < 16; each++) connection.write(piece);
        most = Math.max(most, (await order({ kind: 'usage' })).memory);
      }
      expect(statusesIn(connection.received())).toEqual([413]);
    }
    expect(most - before.memory).toBeLessThan(24 * MB);
  });

  it('a stalled reader gets repeated changes once (HT-52)', async () => {
    const { url, order } = await startChild();
    const before = await order({ kind: 'usage' });
    const uri = `test://${'x'.repeat(500)}`;
    const params = { notifications: { resourceSubscriptions: [uri] } };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
    const connection = await rawConnection(url);
    connection.write(rawPost(url, body, headers));
    await connection.until(/acknowledged/);
    connection.socket.pause();
    const reader = readEvents(await statelessClient(url).send(method, params));
    let delivered = 0;
    const reading = (async () => {
      while ((await reader.message()) !== undefined) delivered += 1;
    })();
    const during = await order({ kind: 'update', uri, times: 100_000 });
    expect(during.memory - before.memory).toBeLessThan(4 * MB);
    expect(during.listeners).toBe(2);
    await expect.poll(() => delivered).toBeGreaterThan(1000);
    connection.socket.resume();
    await order({ kind: 'update', uri: 'test://other', times: 1 });
    const quick = await order({ kind: 'update', uri, times: 1 });
    expect(quick.listeners).toBe(2);
    await reader.cancel();
    await reading.catch(() => {});
  });

  it('unread responses do not block others (RX-06)', async () => {
    const { url } = await startChild();
    const deaf = await Promise.all(Array.from({ length: 20 }, () => rawConnection(url)));
    for (const connection of deaf) {
      connection.socket.pause();
      connection.write(rawPost(url, call('big', { size: 4 * MB })));
    }
    const session = await handshake(url);
    for (let each = 0; each < 20; each++)
      expect(textOf(await session.call('echo', { text: `${each}` }))).toBe(`${each}`);
    expect((await post(url, ping)).status).toBe(200);
  });
});

import { describe, expect, it } from 'vitest';
import { tool } from '../../../../server/define/define.ts';
import { post } from '../fixtures/client.ts';
import { rawConnection, rawPost, statusesIn } from '../fixtures/raw.ts';
import { type StartedServer, start } from '../fixtures/start.ts';

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count' } });
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

interface Counting extends StartedServer {
  /** How often the tool ran. */
  ran(): number;
}

async function counting(options: Parameters<typeof start>[0] = {}): Promise<Counting> {
  let count = 0;
  const started = await start(options, { tools: [tool('count', {}, () => `${++count}`)] });
  return { ...started, ran: () => count };
}

async function stillServes(url: string): Promise<void> {
  expect((await post(url, JSON.parse(ping))).status).toBe(200);
}

describe('a request with ambiguous length', () => {
  const chunks = { 'Content-Length': [], 'Transfer-Encoding': 'chunked' };
  const unclear: [what: string, body: string, headers: Record<string, string | string[]>][] = [
    ['both a length and chunks (HT-22)', chunked(call), { 'Transfer-Encoding': 'chunked' }],
    ['two lengths (HT-23)', call, { 'Content-Length': [String(call.length), String(call.length + 5)] }],
    ['chunks of another name (HT-24)', chunked(call), { ...chunks, 'Transfer-Encoding': 'xchunked' }],
    ['chunks of no length (HT-25)', `zz\r\n${call}\r\n0\r\n\r\n`, chunks],
    ['white space before a colon (HT-26)', call, { 'Content-Length': [], 'Content-Length ': String(call.length) }],
    ['a negative length (HT-28)', call, { 'Content-Length': '-1' }],
    ['a length with a sign (HT-28)', call, { 'Content-Length': `+${call.length}` }],
  ];

  it.each(unclear)('is rejected, and nothing runs: %s', async (_, body, headers) => {
    const { url, ran } = await counting();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, body, headers));
    expect(statusesIn(await connection.closed())).toEqual([400]);
    expect(ran()).toBe(0);
    await stillServes(url);
  });

  it('is rejected or read as one request if a line ends with LF only (HT-27)', async () => {
    const { url, ran } = await counting();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, call, { Connection: 'close' }).replace('\r\nContent-Type', '\nContent-Type'));
    expect(statusesIn(await connection.closed())).toHaveLength(1);
    expect(ran()).toBeLessThanOrEqual(1);
  });

  it('without Host is rejected (HT-07)', async () => {
    const { url, ran } = await counting();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, call, { Host: [], Connection: 'close' }));
    expect(statusesIn(await connection.closed())).toEqual([400]);
    expect(ran()).toBe(0);
  });

  it('with two Host headers is rejected, in any order (HT-08)', async () => {
    const { url, ran } = await counting();
    const { host } = new URL(url);
    for (const hosts of [
      [host, 'evil.example'],
      ['evil.example', host],
      [host, host],
    ]) {
      const connection = await rawConnection(url);
      connection.write(rawPost(url, call, { Host: hosts, Connection: 'close' }));
      expect(statusesIn(await connection.closed())).toEqual([403]);
    }
    expect(ran()).toBe(0);
  });
});

describe('one connection', () => {
  it('may pipeline requests, which are answered in order (HT-29)', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    const echo = (text: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: text,
        method: 'tools/call',
        params: { name: 'later', arguments: { text } },
      });
    connection.write(rawPost(url, echo('first')) + rawPost(url, echo('second'), { Connection: 'close' }));
    const received = await connection.closed();
    expect(statusesIn(received)).toEqual([200, 200]);
    expect(received.indexOf('first')).toBeLessThan(received.indexOf('second'));
  });

  it('stays open after an error response', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, '{'));
    connection.write(rawPost(url, ping, { 'Content-Type': 'text/plain' }));
    connection.write(rawPost(url, ping, { Origin: 'http://evil.example' }));
    connection.write(rawPost(url, ping, { Connection: 'close' }));
    expect(statusesIn(await connection.closed())).toEqual([400, 415, 403, 200]);
  });

  it('that requests an upgrade gets a response (HT-33)', async () => {
    const { url } = await start();
    const { host } = new URL(url);
    const upgrades = [
      `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      `CONNECT evil.example:80 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
    ];
    for (const upgrade of upgrades) {
      const connection = await rawConnection(url);
      connection.write(upgrade);
      expect(statusesIn(await connection.closed()).every((status) => status >= 400 && status < 500)).toBe(true);
    }
    await stillServes(url);
  });

  it('accepts an absolute request target, of which only the path counts', async () => {
    const { url } = await start();
    const { host } = new URL(url);
    for (const target of [
      `http://${host}/mcp`,
      'http://evil.example/mcp',
      '//mcp',
      '/mcp/',
      '/MCP',
      '/%6dcp',
      '/mcp/../mcp',
      '*',
    ]) {
      const connection = await rawConnection(url);
      connection.write(rawPost(url, ping, { Connection: 'close' }).replace('POST /mcp', `POST ${target}`));
      expect({ target, statuses: statusesIn(await connection.closed()) }).toEqual({ target, statuses: [404] });
    }
  });
});

describe('headers', () => {
  it('above the size limit get 431 (HT-20)', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, ping, { 'X-Long': 'x'.repeat(100_000) }));
    expect(statusesIn(await connection.closed())).toEqual([431]);
    await stillServes(url);
  });

  it('may have up to 32 KiB', async () => {
    const { url } = await start();
    for (const [length, status] of [
      [31 * 1024, 200],
      [33 * 1024, 431],
    ] as const) {
      const connection = await rawConnection(url);
      connection.write(rawPost(url, ping, { 'X-Long': 'x'.repeat(length), Connection: 'close' }));
      expect(statusesIn(await connection.closed())).toEqual([status]);
    }
  });

  it('in large numbers are rejected or served, without a crash (HT-21)', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, ping, { X: Array.from({ length: 3000 }, () => '1'), Connection: 'close' }));
    expect([200, 431]).toContain(statusesIn(await connection.closed())[0]);
    await stillServes(url);
  });
});

describe('a slow client', () => {
  it('is disconnected if its headers are too slow (HT-16)', async () => {
    const { url } = await start({ timeouts: { headersMs: 100 } });
    const connection = await rawConnection(url);
    connection.write('POST /mcp HTTP/1.1\r\nHost: loc');
    expect(statusesIn(await connection.closed())).toEqual([408]);
  });

  it('is disconnected if its body is too slow (HT-17)', async () => {
    const { url, ran } = await counting({ timeouts: { headersMs: 200, requestMs: 200 } });
    const connection = await rawConnection(url);
    connection.write(rawPost(url, call).slice(0, -5));
    await connection.closed();
    expect(ran()).toBe(0);
  });

  it('is disconnected after the idle timeout (HT-18)', async () => {
    const { url } = await start({ timeouts: { idleMs: 100 } });
    const connection = await rawConnection(url);
    connection.write(rawPost(url, ping));
    expect(statusesIn(await connection.closed())).toEqual([200]);
  });

  it('does not block others (HT-19)', async () => {
    const { url } = await start();
    const halves = await Promise.all(Array.from({ length: 400 }, () => rawConnection(url)));
    for (const half of halves) half.write('POST /mcp HTTP/1.1\r\nHost: ');
    expect((await post(url, JSON.parse(ping))).status).toBe(200);
  });

  it('is not disconnected for reading slowly', async () => {
    const { url, gates } = await start({ timeouts: { headersMs: 400, requestMs: 400 } });
    const connection = await rawConnection(url);
    const wait = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: { gate: 'g' } } };
    connection.write(rawPost(url, JSON.stringify(wait)));
    await gates.reached('g');
    const slow = await rawConnection(url);
    slow.write('POST /mcp HTTP/1.1\r\n');
    await slow.closed();
    const slower = await rawConnection(url);
    slower.write('POST /mcp HTTP/1.1\r\n');
    await slower.closed();
    gates.open('g');
    expect(await connection.until(/passed g/)).toContain('200 OK');
  });
});

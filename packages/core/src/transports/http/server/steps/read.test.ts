import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tool } from '../../../../server/define/define.ts';
import { answerOf, post, textOf } from '../fixtures/client.ts';
import { rawConnection, rawPost, statusesIn } from '../fixtures/raw.ts';
import { testServer } from '../fixtures/server.ts';
import { start } from '../fixtures/start.ts';
import { httpHandler } from '../handler.ts';
import { isJson } from './read.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

function echo(text: string): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text } } };
}

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;',
  ])('is taken as %s (HT-12)', async (type) => {
    const { url } = await start();
    expect((await post(url, ping, { 'Content-Type': type })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'text/json',
    'application/json-seq',
    'application/jsonx',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    '',
  ])('is rejected as %j, and nothing runs (HT-10, HT-11, HT-35)', async (type) => {
    let ran = false;
    const mark = tool('mark', {}, () => {
      ran = true;
      return '';
    });
    const { url } = await start({}, { tools: [mark] });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'mark' } };
    const response = await post(url, call, { 'Content-Type': type });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/application\/json/) } });
    expect(ran).toBe(false);
  });

  it('is rejected without a content type', async () => {
    const { url } = await start();
    const body = Buffer.from(JSON.stringify(ping));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(415);
  });

  it('is rejected unread if it is compressed (HT-35, HT-36)', async () => {
    const { url } = await start();
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    expect((await fetch(url, { method: 'POST', body: bomb, headers })).status).toBe(415);
    for (const encoding of ['br', 'deflate', 'identity, gzip', 'made-up']) {
      expect((await post(url, ping, { 'Content-Encoding': encoding })).status).toBe(415);
    }
    expect((await post(url, ping, { 'Content-Encoding': 'Identity' })).status).toBe(200);
  });

  it('is rejected if it is cut off', async () => {
    const { fetch: send } = httpHandler(testServer().server);
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    const headers = { 'Content-Type': 'application/json' };
    const response = await send(new Request('http://localhost/mcp', { method: 'POST', body, headers, duplex: 'half' }));
    expect([response.status, await response.json()]).toEqual([
      400,
      { jsonrpc: '2.0', error: { code: -32600, message: 'The body was cut off' } },
    ]);
  });

  it('is rejected if it is not UTF-8', async () => {
    const { url } = await start();
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: Uint8Array.of(0x22, 0xff, 0x22) });
    expect([response.status, await response.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: the body is not valid UTF-8' } },
    ]);
  });

  it('is decoded as UTF-8 across chunks', async () => {
    const { url } = await start();
    const text = 'grün, 日本語, 👍';
    expect(textOf(await answerOf(await post(url, echo(text))))).toBe(text);
    const bytes = Buffer.from(JSON.stringify(echo(text)));
    const connection = await rawConnection(url);
    connection.write(rawPost(url, '', { 'Content-Length': String(bytes.length), Connection: 'close' }));
    connection.socket.setNoDelay(true);
    for (const byte of bytes) connection.write(Buffer.of(byte));
    const received = Buffer.from(await connection.closed(), 'latin1').toString('utf8');
    expect(received).toContain(text);
  });
});

describe('a body that is too long', () => {
  const maxBody = 1000;

  it('is rejected with 413, at the limit it is served', async () => {
    const { url } = await start({ maxBody });
    const empty = JSON.stringify(echo('')).length;
    expect((await post(url, echo('x'.repeat(maxBody - empty)))).status).toBe(200);
    const response = await post(url, echo('x'.repeat(maxBody - empty + 1)));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { code: -32600, message: expect.stringMatching(/1000 bytes/) },
    });
  });

  it('is rejected before it is read, and the connection is closed (HT-14)', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, '', { 'Content-Length': String(64 * 1024 * 1024) }));
    const received = await connection.until(/\r\n\r\n.*}/s);
    expect(statusesIn(received)).toEqual([413]);
    expect(received).toMatch(/connection: close/i);
    connection.write('x'.repeat(1024));
    await connection.closed();
  });

  it('is rejected without an end too: with a response, then the connection is closed (HT-15)', async () => {
    const { url } = await start({ maxBody: 100_000 });
    const connection = await rawConnection(url);
    connection.write(rawPost(url, '', { 'Content-Length': [], 'Transfer-Encoding': 'chunked' }));
    const piece = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const sending = setInterval(() => connection.write(piece), 1);
    try {
      expect(statusesIn(await connection.until(/413/))).toEqual([413]);
      await connection.closed();
    } finally {
      clearInterval(sending);
    }
  });

  it('is rejected in the same way if something else is wrong', async () => {
    const { url } = await start();
    const statusesWith = async (headers: Record<string, string>): Promise<number[]> => {
      const connection = await rawConnection(url);
      connection.write(rawPost(url, '', { 'Content-Length': [], 'Transfer-Encoding': 'chunked', ...headers }));
      const sending = setInterval(() => connection.write('5\r\nxxxxx\r\n'), 1);
      try {
        return statusesIn(await connection.closed());
      } finally {
        clearInterval(sending);
      }
    };
    const rejected = [{ 'Content-Type': 'text/plain' }, { Origin: 'http://evil.example' }].map(statusesWith);
    for (const statuses of await Promise.all(rejected)) expect(statuses).toHaveLength(1);
  });

  it('is drained up to 1 MiB, and closes the connection beyond', async () => {
    const { url } = await start();
    for (const [length, closes] of [
      [1024 * 1024, false],
      [1024 * 1024 + 1, true],
    ] as const) {
      const connection = await rawConnection(url);
      connection.write(rawPost(url, '', { 'Content-Type': 'text/plain', 'Content-Length': String(length) }));
      const received = await connection.until(/\r\n\r\n.*}/s);
      expect(statusesIn(received)).toEqual([415]);
      expect(/connection: close/i.test(received)).toBe(closes);
    }
  });

  it('of moderate length keeps the connection open', async () => {
    const { url } = await start({ maxBody });
    const connection = await rawConnection(url);
    connection.write(rawPost(url, 'x'.repeat(maxBody + 1)));
    connection.write(rawPost(url, JSON.stringify(ping), { Connection: 'close' }));
    expect(statusesIn(await connection.closed())).toEqual([413, 200]);
  });
});

describe('content negotiation and routing', () => {
  it.each([
    'application/json',
    'text/event-stream',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'APPLICATION/JSON',
  ])('may be %s', async (accept) => {
    const { url } = await start();
    expect((await post(url, ping, { Accept: accept })).status).toBe(200);
  });

  it.each(['text/html', 'application/json;q=0, text/html', '*/*;q=0.0', 'application/xml', ';', '/', 'x'.repeat(5000)])(
    'can not be %j: never more than a rejection (HT-13)',
    async (accept) => {
      const { url } = await start();
      expect((await post(url, ping, { Accept: accept })).status).toBe(406);
    },
  );

  it('has defaults', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, JSON.stringify(ping), { Connection: 'close' }));
    expect(statusesIn(await connection.closed())).toEqual([200]);
  });

  it.each(['PUT', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND', 'SEARCH', 'M-SEARCH'])(
    'with %s is rejected with what is served (HT-30)',
    async (method) => {
      const { url } = await start();
      const connection = await rawConnection(url);
      connection.write(rawPost(url, '', { Connection: 'close' }).replace('POST', method));
      const received = await connection.closed();
      expect(statusesIn(received)).toEqual([405]);
      expect(received).toMatch(/allow: POST, GET, DELETE/i);
    },
  );

  it('rejects unknown HTTP methods (HT-30)', async () => {
    const { url } = await start();
    const connection = await rawConnection(url);
    connection.write(rawPost(url, '', { Connection: 'close' }).replace('POST', '__proto__'));
    expect(statusesIn(await connection.closed())).toEqual([400]);
    expect((await post(url, ping)).status).toBe(200);
  });

  it.each(['/', '/other', '/mcp/', '/mcp/sse', '/sse', '/messages', '/constructor', '/..%2fmcp'])(
    'at %s is not found, without a trace of the inside (HT-32)',
    async (path) => {
      const { url } = await start();
      const response = await fetch(new URL(url).origin + path, { method: 'POST' });
      expect(response.status).toBe(404);
      expect(await response.text()).not.toMatch(/\bat \S+:\d+|node_modules/);
    },
  );

  it('serves a configured path', async () => {
    const { url } = await start({ path: '/other' });
    expect(url).toMatch(/\/other$/);
    expect((await post(`${url}?x=1`, ping)).status).toBe(200);
    expect((await post(url.replace('/other', '/mcp'), ping)).status).toBe(404);
  });
});

describe('isJson', () => {
  it('accepts UTF-8 by both of its names, and no other character set', () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', '"utf8"'])
      expect(isJson(`application/json; charset=${charset}`)).toBe(true);
    for (const charset of ['utf-16', 'iso-8859-1', '', '"utf-8', 'utf-8x', 'xutf-8', 'utf-8;charset=latin1']) {
      expect(isJson(`application/json; charset=${charset}`)).toBe(false);
    }
    expect(isJson('application/json; charset*=charset=utf-8')).toBe(false);
    expect(isJson('application/json; x=charset')).toBe(true);
  });
});

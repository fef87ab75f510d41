import { describe, expect, it } from 'vitest';
import { BatchAnswers } from './batch-responses.ts';
import { createServer } from '../create-server.ts';
import { tool } from './define/define.ts';
import { connectDirect } from './fixtures/direct-client.ts';
import type { LogEntry } from './log/log.ts';
import { encodeResponses, type Responses } from './call/encode-responses.ts';
import { receive } from './receive.ts';
import { engineOf } from './server-handle.ts';

const log: LogEntry[] = [];
const served = createServer({
  name: 'n',
  version: '1',
  logger: { level: 'error', write: (entry) => void log.push(entry) },
  tools: [tool('now', {}, () => 'now'), tool('later', {}, async () => 'later')],
});
const server = engineOf(served);

/** Hands in a text as a client of a revision. */
function send(message: unknown, version = '2025-03-26'): unknown {
  const { peer } = connectDirect(served, { version });
  const reply = receive(server, typeof message === 'string' ? message : JSON.stringify(message), peer);
  return reply instanceof Promise ? reply.then(decode) : decode(reply);
}

function decode(reply: Responses): unknown {
  return Array.isArray(reply) ? JSON.parse(encodeResponses(server, reply)) : reply;
}

const ping = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const note = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
const pong = (id: string | number) => ({ jsonrpc: '2.0', id, result: {} });
const rejected = (id: string | number | null, why: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32600, message: `Invalid request: ${why}` },
});

describe('a text of a client', () => {
  it('is answered as the message that it is', () => {
    expect(send(ping(1))).toEqual(pong(1));
    expect(send(note)).toBeUndefined();
    expect(send('{')).toMatchObject({ id: null, error: { code: -32700 } });
    expect(send({ jsonrpc: '2.0', id: 5 })).toMatchObject({ error: { code: -32600 } });
  });
});

describe('a batch', () => {
  it('is answered together, in order, without notifications', async () => {
    expect(send([ping(1), note, ping('b')])).toEqual([pong(1), pong('b')]);
    const answers = await send([call(1, 'later'), note, call(2, 'now')]);
    expect(answers).toMatchObject([
      { id: 1, result: { content: [{ text: 'later' }] } },
      { id: 2, result: { content: [{ text: 'now' }] } },
    ]);
  });

  it('is not answered if none of its messages is', () => {
    expect(send([note, note])).toBeUndefined();
  });

  it('may contain invalid messages', () => {
    expect(send([ping(1), 7])).toMatchObject([pong(1), { id: null, error: { code: -32600 } }]);
  });

  it('exists in one revision only', () => {
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28']) {
      expect(send([ping(1)], version)).toEqual(rejected(null, 'this protocol revision has no batches'));
    }
    const { peer } = connectDirect(served);
    const { session: _, ...alone } = peer;
    expect(receive(server, JSON.stringify([ping(1)]), alone)).toEqual(
      rejected(null, 'this protocol revision has no batches'),
    );
  });

  it('holds at most 100 messages', () => {
    const of = (length: number) => Array.from({ length }, (_, id) => ping(id));
    expect(send(of(100))).toHaveLength(100);
    expect(send(of(101))).toEqual(rejected(null, 'a batch may hold at most 100 messages'));
  });

  it('holds no request of the stateless era', () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const why = 'a request that names its protocol version stands alone';
    expect(send([ping(1), { ...ping(2), params: { _meta } }])).toEqual(rejected(null, why));
    expect(send([ping(1), { ...note, params: { _meta } }])).toEqual(rejected(null, why));
    expect(send([ping(1), { jsonrpc: '2.0', id: 3, result: { _meta } }])).toEqual([pong(1)]);
  });

  it('holds no handshake, and no id twice', () => {
    expect(send([{ ...ping(1), method: 'initialize' }, ping(2)])).toEqual([
      rejected(1, '"initialize" must not be part of a batch'),
      pong(2),
    ]);
    expect(send([ping(1), ping(1), ping('1')])).toEqual([
      pong(1),
      rejected(1, 'two requests of a batch have the same id'),
      pong('1'),
    ]);
  });
});

describe('an answer that can not be written', () => {
  const fine = { jsonrpc: '2.0', id: 1, result: { a: 1 } } as const;
  const broken = { jsonrpc: '2.0', id: 2, result: { a: 1n } } as never;
  const excuse = { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'Internal error' } };

  it('is an error to the client, and logged', () => {
    log.length = 0;
    expect(JSON.parse(encodeResponses(server, broken))).toEqual(excuse);
    expect(log).toMatchObject([{ data: 'Unexpected error in a request', error: expect.any(TypeError) }]);
  });

  it('leaves the others of its batch as they are', () => {
    const answers = new BatchAnswers(server, undefined);
    const encoded = [fine, broken, fine].map((answer) => answers.encode(answer));
    expect(decode(encoded)).toEqual([fine, excuse, fine]);
  });
});

import { expect } from 'vitest';
import { expectError, type JsonRpcMessage } from '../support/mcp-client.ts';
import { type Behaviour, type Client, feature, only, textWires } from './cells.ts';

/** A batch is a text; the wire without texts can't send one. */
const wires = { wires: textWires };

const ping = (id: string | number): object => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (id: string | number, name: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name },
});
const cancelled = (requestId: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

async function expectOneRejection(client: Client, batch: unknown[]): Promise<void> {
  const before = client.received.length;
  client.wire.send(batch);
  expectError(await client.answerTo(null), -32600);
  await client.request('tools/list');
  expect(client.received).toHaveLength(before + 2);
}

const rejected: Behaviour = [
  'is rejected with one error, and what comes next is served',
  async ({ connect }) => {
    const client = await connect();
    await expectOneRejection(client, [ping(101), ping(102)]);
    await expectOneRejection(client, [cancelled('nobody')]);
    await expectOneRejection(client, []);
  },
];

feature(
  'a batch',
  {
    '2024-11-05': rejected,
    '2025-03-26': [
      'is answered with a batch: an answer for each request, none for notifications (S-IO-03)',
      async ({ connect }) => {
        const client = await connect();
        client.wire.send([
          ping(101),
          cancelled('nobody'),
          call('later', 'tool-error-later'),
          call(102, 'no-such-tool'),
        ]);
        const answers = await client.readBatch();
        expect(answers.map(({ id }) => id)).toEqual([101, 'later', 102]);
        expect(answers[0]?.result).toEqual({});
        expect(answers[1]?.result).toMatchObject({ isError: true });
        expectError(answers[2] as JsonRpcMessage, -32602);
      },
    ],
    '2025-06-18': rejected,
  },
  wires,
);

const version = '2025-03-26';

only(
  version,
  'a batch that needs no answer gets none',
  async ({ connect }) => {
    const client = await connect();
    const before = client.received.length;
    client.wire.send([cancelled('a'), cancelled('b')]);
    await client.request('tools/list');
    expect(client.received).toHaveLength(before + 1);
  },
  wires,
);

only(
  version,
  'an empty batch is one error',
  async ({ connect }) => {
    await expectOneRejection(await connect(), []);
  },
  wires,
);

only(
  version,
  'what is no message in a batch has an error of its own, the rest is served',
  async ({ connect }) => {
    const client = await connect();
    client.wire.send([1, 'ping', null, [], { jsonrpc: '2.0', id: 103 }, { id: 104, method: 'ping' }, ping(105)]);
    const answers = await client.readBatch();
    expect(answers.map(({ id }) => id)).toEqual([null, null, null, null, 103, 104, 105]);
    for (const answer of answers.slice(0, -1)) expectError(answer, -32600);
  },
  wires,
);

only(
  version,
  'a handshake in a batch is rejected, and so is a second request with the same id',
  async ({ connect }) => {
    const client = await connect();
    client.wire.send([
      { jsonrpc: '2.0', id: 101, method: 'initialize', params: {} },
      ping(102),
      ping('102'),
      ping(102),
    ]);
    const answers = await client.readBatch();
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [101, -32600],
      [102, undefined],
      ['102', undefined],
      [102, -32600],
    ]);
  },
  wires,
);

only(
  version,
  'a batch before the handshake, of the other era, or too long is rejected as a whole',
  async ({ open, connect }) => {
    const early = open();
    early.wire.send([ping(1)]);
    expectError(await early.answerTo(null), -32600);

    const client = await connect();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    await expectOneRejection(client, [ping(101), { jsonrpc: '2.0', id: 102, method: 'tools/list', params: { _meta } }]);
    await expectOneRejection(
      client,
      Array.from({ length: 101 }, (_, index) => ping(`p${index}`)),
    );
  },
  wires,
);

only(
  version,
  'a request of a batch that is cancelled is left out of the answer (S-K-01)',
  async ({ connect, log }) => {
    const client = await connect();
    client.wire.send([call('job', 'wait'), ping(101)]);
    await log.until('wait: started');
    client.sendNotification('notifications/cancelled', { requestId: 'job' });
    expect((await client.readBatch()).map(({ id }) => id)).toEqual([101]);
  },
  wires,
);

only(
  version,
  'a batch may bring answers to what the server asked',
  async ({ open }) => {
    const answer: { send?: () => void } = {};
    const client = open({
      capabilities: { roots: {} },
      answer: () => {
        const { id } = client.received.at(-1) as JsonRpcMessage;
        answer.send = () =>
          client.wire.send([{ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///z' }] } }, ping(101)]);
        answer.send();
      },
    });
    await client.initialize();
    expect((await client.request('tools/call', { name: 'where' })).content[0].text).toBe('file:///z');
    expect((await client.readBatch()).map(({ id }) => id)).toEqual([101]);
  },
  wires,
);

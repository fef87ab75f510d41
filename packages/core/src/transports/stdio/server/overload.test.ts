import { describe, expect, it } from 'vitest';
import { createServer, tool } from '../../../index.ts';
import { call, initialize } from '../fixtures/messages.ts';
import { open } from '../fixtures/open.ts';

describe('a client on stdio', () => {
  it('gets an error for calls above the limit with 3000 in flight, and a ping is answered (RX-03)', async () => {
    const finish: (() => void)[] = [];
    const wait = tool('wait', {}, () => new Promise<string>((resolve) => finish.push(() => resolve('done'))));
    const { send, answer, received, connection, input } = open(
      createServer({ name: 's', version: '1', tools: [wait] }),
    );
    send(...initialize(), ...Array.from({ length: 3000 }, (_, each) => call(each, 'wait')));
    send({ jsonrpc: '2.0', id: 'ping', method: 'ping' });
    expect(await answer('ping')).toMatchObject({ result: {} });
    expect(finish).toHaveLength(1024);
    const rejected = received.filter(({ error }) => error !== undefined);
    expect(rejected).toHaveLength(3000 - 1024);
    expect(rejected[0]).toMatchObject({
      id: 1024,
      error: {
        code: -32603,
        message: expect.stringMatching(/^Server busy: 1024 requests are running on this connection; try again/),
        data: { retryAfterMs: 1000, limit: 'caller' },
      },
    });
    for (const each of finish) each();
    input.end();
    await connection.closed;
    expect(received).toHaveLength(3002);
  });

  it('gets a retry time when its rate is limited (RX-04)', async () => {
    const echo = tool('echo', {}, () => 'hello');
    const server = createServer({ name: 's', version: '1', tools: [echo] });
    const { send, answer, connection, input } = open(server, { rateLimit: { calls: 2, perMs: 3_600_000 } });
    send(...[1, 2, 3].map((id) => call(id, 'echo')), ...[4, 5].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
    expect([await answer(1), await answer(2)]).toMatchObject([{ result: {} }, { result: {} }]);
    expect(await answer(3)).toMatchObject({
      error: {
        code: -32603,
        message: expect.stringMatching(/^Too many requests: try again in \d+ ms$/),
        data: { retryAfterMs: expect.any(Number), limit: 'caller' },
      },
    });
    expect([await answer(4), await answer(5)]).toMatchObject([{ id: 4 }, { id: 5, result: {} }]);
    input.end();
    await connection.closed;
  });
});
